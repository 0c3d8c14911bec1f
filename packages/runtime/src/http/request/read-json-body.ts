import { isJsonObject, MAX_JSON_BODY_BYTES } from "@stemma/core/internal";
import { assertContentLength, assertJsonType, DomainError, parseJson } from "@stemma/protocol";
import type { HttpRequest } from "../http-exchange";

/** Unknown fields that an error lists, as more would not be read. */
const MAX_LISTED_FIELDS = 100;

type Fields = { readonly [field: string]: unknown };

/** The body of a request, which has to be a JSON object. @throws DomainError for anything else. */
export async function readJsonBody(request: HttpRequest): Promise<Fields> {
	assertJsonType(request.header("content-type"));
	return parseObject(await readBytes(request), "The body has to be a JSON object.");
}

/** @throws DomainError when there is a body, but for an empty JSON object. */
export async function requireEmptyBody(request: HttpRequest): Promise<void> {
	const bytes = await readBytes(request);
	if (bytes.every((byte) => BLANKS.has(byte))) return;
	assertJsonType(request.header("content-type"));
	assertKnownFields(parseObject(bytes, "No body is expected here."), []);
}

/** White space of JSON. */
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** @throws DomainError `unknown_field` for fields that are not expected; the first is named, all are in its details. */
export function assertKnownFields(fields: Fields, expected: readonly string[]): void {
	const unknown = Object.keys(fields).filter((field) => !expected.includes(field));
	const [param] = unknown;
	if (param === undefined) return;
	const list = expected.length === 0 ? "No fields are expected." : `Expected fields: ${expected.join(", ")}.`;
	throw new DomainError("unknown_field", `${param}: Not a field of this request.`, {
		param,
		hint: list,
		details: {
			issues: unknown
				.slice(0, MAX_LISTED_FIELDS)
				.map((path) => ({ path, message: "Not a field of this request." })),
		},
	});
}

function readBytes(request: HttpRequest): Promise<Uint8Array> {
	assertContentLength(request.header("content-length"));
	return request.readBody(MAX_JSON_BODY_BYTES);
}

function parseObject(bytes: Uint8Array, message: string): Fields {
	const json = parseJson(bytes);
	if (!isJsonObject(json))
		throw new DomainError("invalid_request", message, { details: { issues: [{ path: "", message }] } });
	return json;
}
