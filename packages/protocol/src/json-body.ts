import { findJsonLimitIssue, MAX_JSON_BODY_BYTES } from "@stemma/core/internal";
import { DomainError } from "./domain-error";
import { locateJsonError } from "./locate-json-error";

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)$/;
const CHARSET = /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/;

/** Checks whether a content type is JSON in UTF-8. */
export function isJsonType(contentType: string | undefined): boolean {
	if (contentType === "application/json") return true;
	const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
	return (
		JSON_TYPE.test(type.trim()) &&
		parameters.every((parameter) => (CHARSET.exec(parameter)?.[1] ?? "utf-8") === "utf-8")
	);
}

/** @throws DomainError `unsupported_media_type` */
export function assertJsonType(contentType: string | undefined): void {
	if (isJsonType(contentType)) return;
	throw new DomainError("unsupported_media_type", "The body must be JSON in UTF-8.", {
		hint: "Send the header content-type: application/json.",
	});
}

/** @throws DomainError `body_too_large` for a request whose `content-length` is larger. */
export function assertContentLength(header: string | undefined, maxBytes = MAX_JSON_BODY_BYTES): void {
	if (header !== undefined && Number(header) > maxBytes) throw bodyTooLarge(maxBytes);
}

/** Creates the error for a body that is larger than its route allows. */
export const bodyTooLarge = (maxBytes = MAX_JSON_BODY_BYTES): DomainError =>
	new DomainError("body_too_large", `The body is larger than ${maxBytes.toLocaleString("en")} bytes.`, {
		hint: "Send less at once: long documents belong in a knowledge base.",
		details: { max_bytes: maxBytes },
	});

/**
 * The body as JSON.
 *
 * @throws DomainError `invalid_json`; `invalid_request` where it is nested too deep or holds too many values.
 */
export function parseJson(bytes: Uint8Array): unknown {
	const text = decodeUtf8(bytes);
	assertJsonLimits(text);
	try {
		return JSON.parse(text);
	} catch {
		const { message, position, line, column } = locateJsonError(text);
		const details = { position, line, column };
		throw new DomainError("invalid_json", `The body is not JSON: ${message}.`, { details });
	}
}

/** @throws DomainError `invalid_request` for JSON that is nested too deep, holds too many values, or is no Unicode text. */
export function assertJsonLimits(text: string, subject = "The body"): void {
	const issue = findJsonLimitIssue(text);
	if (issue === undefined) return;
	const { path, message } = issue;
	throw new DomainError("invalid_request", `${path === "" ? subject : `"${path}"`} ${message}.`, {
		...(path !== "" && { param: path }),
		details: { issues: [{ path, message: `${message}.` }] },
	});
}

/** One for all: nothing of a text is kept between two. */
const decoder = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
	try {
		return decoder.decode(bytes);
	} catch {
		throw new DomainError("invalid_json", "The body is not UTF-8.");
	}
}
