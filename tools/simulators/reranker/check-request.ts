import type { IncomingHttpHeaders } from "node:http";
import { type Fields, isObject, isOfType } from "./field-checks.ts";
import { Refusal } from "./refusal.ts";
import type { CheckedBody, Problem, Vendor } from "./vendor.ts";

/** A request as it came in, before anything of it is believed. */
export interface RawRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
}

export interface Demands {
	readonly vendor: Vendor;
	/** The key that is expected; without one any is taken, and none too. */
	readonly apiKey: string | undefined;
	readonly models: readonly string[] | undefined;
	readonly mostTexts: number;
	/** Of a body, in bytes. */
	readonly mostBytes: number;
}

/**
 * The body of a request that the vendor would answer.
 *
 * @throws Refusal with what the vendor would say.
 */
export function checkRequest({ method, path, headers, text }: RawRequest, demands: Demands): CheckedBody {
	const { vendor, apiKey, models } = demands;
	if (path !== `${vendor.prefix}/rerank`) throw new Refusal(404, "", { isMute: true });
	if (method !== "POST") throw new Refusal(405, "", { isMute: true });
	if (apiKey !== undefined) checkAuthorization(headers.authorization, apiKey, vendor);
	if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
		throw new Refusal(415, "Expected request with `Content-Type: application/json`");
	if (Buffer.byteLength(text) > demands.mostBytes) throw new Refusal(413, "length limit exceeded");
	const body = checkFields(parseBody(text), vendor);
	if (vendor.fields.model !== undefined && models !== undefined && !models.includes(String(body.model)))
		refuse(vendor.unknownModel(String(body.model)));
	checkTexts(body, demands);
	return body;
}

function refuse({ status, message, type }: Problem): never {
	throw new Refusal(status, message, type === undefined ? {} : { type });
}

function checkAuthorization(header: string | undefined, apiKey: string, vendor: Vendor): void {
	const [, sent] = /^Bearer (\S+)$/.exec(header ?? "") ?? [];
	if (sent === apiKey) return;
	if (vendor.mute401) throw new Refusal(401, "", { isMute: true });
	refuse(header === undefined ? vendor.asksKey : vendor.refusesKey);
}

function parseBody(text: string): Fields {
	try {
		const body: unknown = JSON.parse(text);
		if (isObject(body)) return body;
	} catch {
		// As what is no object.
	}
	throw new Refusal(400, "invalid request: the body is no JSON object");
}

function checkFields(body: Fields, vendor: Vendor): CheckedBody {
	const unknown = Object.keys(body).find((name) => !Object.hasOwn(vendor.fields, name));
	if (unknown !== undefined && !vendor.isLax) refuse(vendor.unknownField(unknown));
	for (const [name, type] of Object.entries(vendor.fields)) {
		const value = body[name];
		if (value === undefined && !vendor.required.includes(name)) continue;
		if (!isOfType(value, type)) refuse(vendor.badField(name, type, value));
	}
	return body as CheckedBody;
}

function checkTexts(body: CheckedBody, { vendor, mostTexts }: Demands): void {
	const texts = body[vendor.textsField] as readonly string[];
	if (texts.length === 0)
		refuse({ status: 400, message: `${vendor.textsField} cannot be empty`, type: "Empty" });
	if (texts.length > mostTexts) refuse(vendor.tooMany(texts.length, mostTexts));
	if (body.query === "") refuse(vendor.badField("query", "string", ""));
}
