import { findJsonLimitIssue, MAX_JSON_BODY_BYTES, quote } from "@stemma/core/internal";
import { A2aServerError } from "../a2a-server-error";

/**
 * The body of a request as JSON; undefined where there is none.
 *
 * @throws A2aServerError for what is no JSON, too large, or beyond the limits of JSON bodies.
 */
export async function readBody(request: Request): Promise<unknown> {
	if (Number(request.headers.get("content-length") ?? 0) > MAX_JSON_BODY_BYTES) throw createTooLargeError();
	const text = await readText(request.body);
	if (text.trim() === "") return undefined;
	assertJsonContentType(request.headers.get("content-type"));
	const issue = findJsonLimitIssue(text);
	if (issue !== undefined)
		throw new A2aServerError(
			"INVALID_REQUEST",
			`${issue.path === "" ? "The body" : quote(issue.path)} ${issue.message}.`,
		);
	return parse(text);
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
	const reader = body?.getReader();
	const decoder = new TextDecoder("utf-8", { fatal: true });
	let text = "";
	let length = 0;
	for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
		length += next.value.length;
		if (length > MAX_JSON_BODY_BYTES) {
			await reader?.cancel();
			throw createTooLargeError();
		}
		text += decode(decoder, next.value);
	}
	return text + decode(decoder);
}

/** @param bytes - none at the end. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
	try {
		return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
	} catch {
		throw new A2aServerError("PARSE_ERROR", "The body is not valid UTF-8 text.");
	}
}

function assertJsonContentType(contentType: string | null): void {
	const type = contentType?.split(";")[0]?.trim().toLowerCase();
	if (type === "application/json" || type === "application/a2a+json") return;
	throw new A2aServerError(
		"CONTENT_TYPE_NOT_SUPPORTED",
		"The content type has to be application/json or application/a2a+json.",
	);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new A2aServerError("PARSE_ERROR", "The body is not JSON.");
	}
}

const createTooLargeError = (): A2aServerError =>
	new A2aServerError("INVALID_REQUEST", "The body is larger than 2 MiB.", { status: 413 });
