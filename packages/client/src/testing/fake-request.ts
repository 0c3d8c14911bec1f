import type { FetchInit } from "../http/platform";

/** Request to the fake, without credentials. */
export interface FakeCall {
	readonly method: string;
	/** Path without the query: `/v1/search`. */
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	/** Headers by their lower-case names; without `authorization`, and without the tokens of runs and threads. */
	readonly headers: Readonly<Record<string, string>>;
	/** JSON as it was parsed, a form of plain fields as an object, a `FormData` as it is, a stream as its bytes. */
	readonly body: unknown;
}

/** A call, and what only the fake itself looks at. */
export interface FakeRequest {
	readonly call: FakeCall;
	readonly wantsStream: boolean;
	readonly idempotencyKey: string | undefined;
	readonly runToken: string | undefined;
	readonly threadToken: string | undefined;
}

/**
 * Reads a request that the fake received.
 *
 * @param body - for a stream, the bytes that were read from it.
 */
export function readFakeRequest(
	url: string,
	{ method, headers }: FetchInit,
	body: string | FormData | Uint8Array | undefined,
): FakeRequest {
	const [, path = "/", query = ""] = /^\w+:\/\/[^/?#]*([^?#]*)\??([^#]*)/.exec(url) ?? [];
	const {
		authorization: _,
		"stemma-run-token": runToken,
		"stemma-thread-token": threadToken,
		...visibleHeaders
	} = headers;
	return {
		call: {
			method,
			path: path === "" ? "/" : path,
			query: readFields(query),
			headers: visibleHeaders,
			body: readBody(body, headers["content-type"]),
		},
		wantsStream: headers.accept === "text/event-stream",
		idempotencyKey: headers["idempotency-key"],
		runToken,
		threadToken,
	};
}

/** Reads a stream to its end, as a service does. */
export async function readStream(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	const reader = stream.getReader();
	for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) chunks.push(chunk.value);
	const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.length;
	}
	return bytes;
}

export const isStream = (body: FetchInit["body"]): body is ReadableStream<Uint8Array> =>
	typeof body === "object" && "getReader" in body;

function readBody(body: unknown, type = ""): unknown {
	if (typeof body !== "string") return body;
	if (type === "application/json") return JSON.parse(body);
	return type === "application/x-www-form-urlencoded" ? readFields(body) : body;
}

const readFields = (text: string): Record<string, string> =>
	Object.fromEntries(
		text
			.split("&")
			.filter((pair) => pair !== "")
			.map((pair) => {
				const [name = "", ...value] = pair.split("=");
				return [decodeURIComponent(name), decodeURIComponent(value.join("="))];
			}),
	);
