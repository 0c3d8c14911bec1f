import type { CallOptions } from "../options/call-options";

/** Client keys use the threads alone whose token they have. */
export interface ThreadCallOptions extends CallOptions {
	/** `token` of the created thread. */
	readonly thread_token?: string | undefined;
}

/** Options of a call with the token of its thread as a header. */
export const withThreadToken = ({ thread_token, ...options }: ThreadCallOptions = {}): CallOptions =>
	thread_token === undefined
		? options
		: { ...options, headers: { ...options.headers, "stemma-thread-token": thread_token } };
