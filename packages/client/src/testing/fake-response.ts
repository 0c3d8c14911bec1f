import type { JsonObject } from "@stemma/core";
import type { FakeRequest } from "./fake-request";

/** Response to a request. */
export type FakeResponse = JsonResponse | EventStreamResponse | { readonly kind: "no_connection" };

export interface JsonResponse {
	readonly kind: "json";
	readonly status: number;
	readonly body: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

export interface EventStreamResponse {
	readonly kind: "events";
	/** The next event as soon as it is there; `undefined` after the last. */
	next(): Promise<NumberedEvent | undefined>;
	/** Called when the stream is not read any more. */
	onClose?(): void;
}

export interface NumberedEvent {
	readonly type: string;
	readonly seq: number;
}

/** Answers a request, with what the names in its route stand for. */
export type RequestHandler = (
	request: FakeRequest,
	params: Readonly<Record<string, string>>,
) => FakeResponse | Promise<FakeResponse>;

export const jsonResponse = (body: unknown, status = 200): JsonResponse => ({ kind: "json", status, body });

/** Failure of a request: an error response of the service, or no response at all. */
export type FakeFailure =
	| {
			/** `429` */
			readonly status: number;
			/** `rate_limited` */
			readonly code: string;
			readonly message?: string;
			readonly hint?: string;
			readonly param?: string;
			readonly details?: JsonObject;
			/** Seconds: the `retry-after` header. */
			readonly retryAfter?: number;
	  }
	/** No connection: `ConnectionError`. */
	| { readonly status?: undefined; readonly network: true };

export function errorResponse(failure: FakeFailure): FakeResponse {
	if (failure.status === undefined) return { kind: "no_connection" };
	const { status, retryAfter, message = "A test wanted it so.", ...rest } = failure;
	return {
		kind: "json",
		status,
		body: { error: { message, ...rest } },
		headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
	};
}
