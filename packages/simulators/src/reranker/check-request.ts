import type { IncomingHttpHeaders } from "node:http";
import { type Fields, isObject, isOfType } from "./field-checks.ts";
import { Rejection } from "./rejection.ts";
import type { CheckedBody, Problem, Vendor } from "./vendor.ts";

/** A request as it came in, before anything of it is believed. */
export interface RawRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
}

export interface RequestRules {
	readonly vendor: Vendor;
	/** The key that is expected; without one any is taken, and none too. */
	readonly apiKey: string | undefined;
	readonly models: readonly string[] | undefined;
	readonly maxTexts: number;
	/** Of a body, in bytes. */
	readonly maxBytes: number;
}

/**
 * The body of a request that the vendor would answer.
 *
 * @throws Rejection with what the vendor would say.
 */
export function checkRequest({ method, path, headers, text }: RawRequest, rules: RequestRules): CheckedBody {
	const { vendor, apiKey, models } = rules;
	if (path !== `${vendor.prefix}/rerank`) throw new Rejection(404, "", { hasEmptyBody: true });
	if (method !== "POST") throw new Rejection(405, "", { hasEmptyBody: true });
	if (apiKey !== undefined) checkAuthorization(headers.authorization, apiKey, vendor);
	if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
		throw new Rejection(415, "Expected request with `Content-Type: application/json`");
	if (Buffer.byteLength(text) > rules.maxBytes) throw new Rejection(413, "length limit exceeded");
	const body = checkFields(parseBody(text), vendor);
	if (vendor.fields.model !== undefined && models !== undefined && !models.includes(String(body.model)))
		reject(vendor.unknownModel(String(body.model)));
	checkTexts(body, rules);
	return body;
}

function reject({ status, message, type }: Problem): never {
	throw new Rejection(status, message, type === undefined ? {} : { type });
}

function checkAuthorization(header: string | undefined, apiKey: string, vendor: Vendor): void {
	const [, sent] = /^Bearer (\S+)$/.exec(header ?? "") ?? [];
	if (sent === apiKey) return;
	if (vendor.hasEmpty401) throw new Rejection(401, "", { hasEmptyBody: true });
	reject(header === undefined ? vendor.missingKeyError : vendor.invalidKeyError);
}

function parseBody(text: string): Fields {
	try {
		const body: unknown = JSON.parse(text);
		if (isObject(body)) return body;
	} catch {
		// As what is no object.
	}
	throw new Rejection(400, "invalid request: the body is no JSON object");
}

function checkFields(body: Fields, vendor: Vendor): CheckedBody {
	const unknown = Object.keys(body).find((name) => !Object.hasOwn(vendor.fields, name));
	if (unknown !== undefined && !vendor.ignoresUnknownFields) reject(vendor.unknownField(unknown));
	for (const [name, type] of Object.entries(vendor.fields)) {
		const value = body[name];
		if (value === undefined && !vendor.required.includes(name)) continue;
		if (!isOfType(value, type)) reject(vendor.invalidField(name, type, value));
	}
	return body as CheckedBody;
}

function checkTexts(body: CheckedBody, { vendor, maxTexts }: RequestRules): void {
	const texts = body[vendor.textsField] as readonly string[];
	if (texts.length === 0)
		reject({ status: 400, message: `${vendor.textsField} cannot be empty`, type: "Empty" });
	if (texts.length > maxTexts) reject(vendor.tooMany(texts.length, maxTexts));
	if (body.query === "") reject(vendor.invalidField("query", "string", ""));
}
