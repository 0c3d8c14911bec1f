import { findJsonLimitIssue, isJsonObject, quote } from "@stemma/core/internal";
import { bodyTooLarge, HttpError } from "../http-error";
import type { HttpRequest } from "../http-exchange";
import { requireJsonContentType } from "./access";

const MAX_BODY_BYTES = 2_000_000;
/** Unknown fields that an error lists, as more would not be read. */
const MAX_LISTED_FIELDS = 100;

type Fields = { readonly [field: string]: unknown };

/** The body of a request, which has to be a JSON object. @throws HttpError for anything else. */
export async function readJsonBody(request: HttpRequest): Promise<Fields> {
	requireJsonContentType(request.header("content-type"));
	const json = parse(await readText(request));
	if (!isJsonObject(json))
		throw new HttpError(400, "The body has to be a JSON object.", { code: "invalid_request" });
	return json;
}

/** @throws HttpError when there is a body, but for an empty JSON object. */
export async function requireEmptyBody(request: HttpRequest): Promise<void> {
	const text = await readText(request);
	if (text.trim() === "") return;
	requireJsonContentType(request.header("content-type"));
	const json = parse(text);
	if (!isJsonObject(json)) throw new HttpError(400, "No body is expected here.", { code: "invalid_request" });
	assertKnownFields(json, []);
}

/** @throws HttpError `unknown_field` for fields that are not expected; the first is named, all are in its details. */
export function assertKnownFields(fields: Fields, expected: readonly string[]): void {
	const unknown = Object.keys(fields).filter((field) => !expected.includes(field));
	const [param] = unknown;
	if (param === undefined) return;
	const list = expected.length === 0 ? "No fields are expected." : `Expected fields: ${expected.join(", ")}.`;
	throw new HttpError(400, `${param}: Not a field of this request.`, {
		code: "unknown_field",
		param,
		hint: list,
		details: {
			issues: unknown
				.slice(0, MAX_LISTED_FIELDS)
				.map((path) => ({ path, message: "Not a field of this request." })),
		},
	});
}

/** One for all: nothing of a text is kept between two. */
const decoder = new TextDecoder("utf-8", { fatal: true });

async function readText(request: HttpRequest): Promise<string> {
	if (Number(request.header("content-length") ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge();
	const bytes = await request.readBody(MAX_BODY_BYTES);
	try {
		return decoder.decode(bytes);
	} catch {
		throw notJson("The body is not valid UTF-8 text.");
	}
}

function parse(text: string): unknown {
	const issue = findJsonLimitIssue(text);
	if (issue !== undefined) {
		const { path, message } = issue;
		throw new HttpError(400, `${path === "" ? "The body" : quote(path)} ${message}.`, {
			code: "invalid_request",
			...(path !== "" && { param: path }),
		});
	}
	try {
		return JSON.parse(text);
	} catch {
		throw notJson("The body is not JSON.");
	}
}

const notJson = (message: string): HttpError =>
	new HttpError(400, message, {
		code: "invalid_json",
		hint: 'Send a JSON object, such as {"input": "How long do refunds take?"}.',
	});
