import type { FetchResponse } from "./platform";

/** Of the answer's head; empty where there is none. */
const header = ({ headers }: FetchResponse, name: string): string => headers.get(name) ?? "";

export const readRequestId = (response: FetchResponse): string => header(response, "x-request-id");

export const isJsonAnswer = (response: FetchResponse): boolean =>
	/\bjson\b/i.test(header(response, "content-type"));

export const isEventStream = (response: FetchResponse): boolean =>
	/^text\/event-stream\b/i.test(header(response, "content-type"));

/** A redirect was followed to another origin, as React Native's `fetch` and `XMLHttpRequest` do unasked. */
export const isFromElsewhere = ({ url = "" }: FetchResponse, asked: string): boolean =>
	url !== asked && /^https?:/i.test(url) && new URL(url).origin !== new URL(asked).origin;

/** Frees the connection. */
export function dropBody({ body }: FetchResponse): void {
	body
		?.getReader()
		.cancel()
		.catch(() => undefined);
}
