import type { FetchResponse } from "./platform";

/** Returns a header of the response; empty where there is none. */
export const header = ({ headers }: FetchResponse, name: string): string => headers.get(name) ?? "";

/** Empty for what no service makes: something between may put anything there. */
export const toRequestId = (id = ""): string => (/^[\w.-]{1,100}$/.test(id) ? id : "");

export const readRequestId = (response: FetchResponse, redact: (text: string) => string): string =>
	toRequestId(redact(header(response, "x-request-id")));

export const isJsonResponse = (response: FetchResponse): boolean =>
	/\bjson\b/i.test(header(response, "content-type"));

export const isEventStream = (response: FetchResponse): boolean =>
	/^text\/event-stream\b/i.test(header(response, "content-type"));

/** A redirect was followed to another origin, as React Native's `fetch` and `XMLHttpRequest` do unasked. */
export const isCrossOriginRedirect = ({ url = "" }: FetchResponse, requestedUrl: string): boolean =>
	url !== requestedUrl && /^https?:/i.test(url) && new URL(url).origin !== new URL(requestedUrl).origin;

/** Maximum length of an error body, in characters: enough to report a failure. */
const MAX_ERROR_CHARACTERS = 2 ** 20;
/** No answer of the service is longer. */
const MAX_BODY_CHARACTERS = 2 ** 28;

/** The body, in UTF-16 code units no longer than anyone reads: where it comes in pieces, the rest is not awaited. */
export async function readText(response: FetchResponse): Promise<string> {
	const reader = typeof TextDecoder === "undefined" ? undefined : response.body?.getReader?.();
	if (reader === undefined) return response.text();
	const decoder = new TextDecoder();
	let text = "";
	while (text.length < (response.ok ? MAX_BODY_CHARACTERS : MAX_ERROR_CHARACTERS)) {
		const { done, value } = await reader.read();
		text += typeof value === "string" ? value : decoder.decode(value, { stream: !done });
		if (done) return text;
	}
	reader.cancel().catch(() => undefined);
	return text;
}

/** Frees the connection. */
export function discardBody({ body }: FetchResponse): void {
	body
		?.getReader()
		.cancel()
		.catch(() => undefined);
}
