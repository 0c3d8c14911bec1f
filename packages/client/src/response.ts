import type { FetchResponse } from "./platform";

/** Of the answer's head; empty where there is none. */
export const header = ({ headers }: FetchResponse, name: string): string => headers.get(name) ?? "";

/** Empty for what no service makes: something between may put anything there. */
export const toRequestId = (id = ""): string => (/^[\w.-]{1,100}$/.test(id) ? id : "");

export const readRequestId = (response: FetchResponse, redact: (text: string) => string): string =>
	toRequestId(redact(header(response, "x-request-id")));

export const isJsonAnswer = (response: FetchResponse): boolean =>
	/\bjson\b/i.test(header(response, "content-type"));

export const isEventStream = (response: FetchResponse): boolean =>
	/^text\/event-stream\b/i.test(header(response, "content-type"));

/** A redirect was followed to another origin, as React Native's `fetch` and `XMLHttpRequest` do unasked. */
export const isFromElsewhere = ({ url = "" }: FetchResponse, asked: string): boolean =>
	url !== asked && /^https?:/i.test(url) && new URL(url).origin !== new URL(asked).origin;

/** Of a failure, so much tells enough. */
const MOST_OF_FAILURE = 2 ** 20;
/** No answer of the service is longer. */
const MOST_OF_ANSWER = 2 ** 28;

/** The body, in UTF-16 code units no longer than anyone reads: where it comes in pieces, the rest is not awaited. */
export async function readText(response: FetchResponse): Promise<string> {
	const reader = typeof TextDecoder === "undefined" ? undefined : response.body?.getReader?.();
	if (reader === undefined) return response.text();
	const decoder = new TextDecoder();
	let text = "";
	while (text.length < (response.ok ? MOST_OF_ANSWER : MOST_OF_FAILURE)) {
		const { done, value } = await reader.read();
		text += typeof value === "string" ? value : decoder.decode(value, { stream: !done });
		if (done) return text;
	}
	reader.cancel().catch(() => undefined);
	return text;
}

/** Frees the connection. */
export function dropBody({ body }: FetchResponse): void {
	body
		?.getReader()
		.cancel()
		.catch(() => undefined);
}
