import { readdirSync, readFileSync } from "node:fs";
import { vectorUrl } from "@stemma/simulators/vectors";
import { describe, expect, it } from "vitest";
import { hashText, sign, type UnsignedRequest } from "./sign";

/** AWS's own test suite for Signature Version 4 (awslabs/aws-c-auth). */
const folder = vectorUrl("sigv4/");
const names = readdirSync(folder, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);
const read = (name: string, file: string): string => readFileSync(new URL(`${name}/${file}`, folder), "utf8");

const S3 = "signs a path with dots or empty parts as it is, which S3 alone does, and `URL` cannot hold";
const NOT_OURS: Readonly<Record<string, string>> = {
	"get-relative-relative-unnormalized": S3,
	"get-relative-unnormalized": S3,
	"get-slash-dot-slash-unnormalized": S3,
	"get-slash-pointless-dot-unnormalized": S3,
	"get-slash-unnormalized": S3,
	"get-slashes-unnormalized": S3,
	"post-sts-header-after": "leaves the session token out of the signature: Bedrock wants it signed",
};

interface Context {
	readonly credentials: {
		readonly access_key_id: string;
		readonly secret_access_key: string;
		readonly token?: string;
	};
	readonly normalize: boolean;
	readonly omit_session_token?: boolean;
	readonly region: string;
	readonly service: string;
	readonly sign_body: boolean;
	readonly timestamp: string;
}

async function toRequest(text: string, { sign_body }: Context): Promise<UnsignedRequest> {
	const [head = "", body = ""] = text.split("\n\n");
	const [line = "", ...headerLines] = head.trimEnd().replace(/\n\s+/g, " ").split("\n");
	const [, method = "", target = ""] = /^(\S+) (.*) HTTP\/1.1$/.exec(line) ?? [];
	const headers: Record<string, string> = {};
	for (const header of headerLines) {
		const [, name = "", value = ""] = /^([^:]+):(.*)$/.exec(header) ?? [];
		const before = headers[name.toLowerCase()];
		headers[name.toLowerCase()] = before === undefined ? value : `${before},${value}`;
	}
	if (sign_body) headers["x-amz-content-sha256"] = await hashText(body);
	return { method, url: `https://${headers.host}${target}`, headers, body };
}

async function signatureOf(name: string): Promise<string | undefined> {
	const context = JSON.parse(read(name, "context.json")) as Context;
	const { access_key_id, secret_access_key, token } = context.credentials;
	const { region, service, timestamp } = context;
	const text = read(name, "request.txt");
	// Of these two paths `URL` has made what is encoded once already; all others are written as they are sent.
	const doubleEncode = !/^get-(space|utf8)/.test(name);
	const signed = await sign(
		await toRequest(text, context),
		{ accessKeyId: access_key_id, secretAccessKey: secret_access_key, sessionToken: token },
		{ region, service, date: new Date(timestamp), doubleEncode },
	);
	return /Signature=(\w+)$/.exec(signed.authorization ?? "")?.[1];
}

describe("AWS's suite for Signature Version 4", () => {
	const signature = names.filter((name) => !Object.hasOwn(NOT_OURS, name));

	it("is complete", () => {
		expect(names.length).toBe(38);
		expect(names).toEqual(expect.arrayContaining(Object.keys(NOT_OURS)));
		expect(signature.length).toBe(31);
	});

	it.each(signature)("%s", async (name) => {
		expect(await signatureOf(name)).toBe(read(name, "header-signature.txt").trim());
	});

	it.each(Object.entries(NOT_OURS))("%s is not ours: it %s", (name) => {
		const { normalize, omit_session_token = false } = JSON.parse(read(name, "context.json")) as Context;
		expect(!normalize || omit_session_token).toBe(true);
	});
});

const KEY = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };
const REQUEST = { method: "POST", url: "https://example.com/model/a%3A0/converse", headers: {}, body: "{}" };

it("derives a key once a day, and another for another secret", async () => {
	const cache = new Map<string, ArrayBuffer>();
	const scope = { region: "us-east-1", service: "bedrock", cache };
	const at = (time: string) => ({ ...scope, date: new Date(time) });
	const first = await sign(REQUEST, KEY, at("2026-01-01T00:00:00Z"));
	expect(await sign(REQUEST, KEY, at("2026-01-01T00:00:00Z"))).toEqual(first);
	expect(cache.size).toBe(1);
	await sign(REQUEST, KEY, at("2026-01-02T00:00:00Z"));
	await sign(REQUEST, { ...KEY, secretAccessKey: "other" }, at("2026-01-01T00:00:00Z"));
	expect(cache.size).toBe(3);
});
