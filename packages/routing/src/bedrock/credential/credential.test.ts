import { inspect } from "node:util";
import { ConfigurationError } from "@stemma/core/errors";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parseBedrockCredential } from "./credential";
import { getSecret } from "./secret";

const ACCESS = "AKIAIOSFODNN7EXAMPLE";
const TEMPORARY = "ASIAIOSFODNN7EXAMPLE";
const SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const TOKEN = "FwoGZXIvYXdzEBYaDK+s/x3Yw==";
const API_KEY = "ABSKQmVkcm9ja0FQSUtleS1leGFtcGxl+/8=";
const NOW = Date.parse("2026-05-01T12:00:00Z");

const LONG_TERM = { accessKeyId: ACCESS, secretAccessKey: SECRET };
const SESSION = { accessKeyId: TEMPORARY, secretAccessKey: SECRET, sessionToken: TOKEN };
const PRINTED = { AccessKeyId: TEMPORARY, SecretAccessKey: SECRET, SessionToken: TOKEN };

const read = (text: string) => {
	const credential = parseBedrockCredential(text, { now: NOW });
	return { ...getSecret(credential), region: credential.region };
};

function errorOf(text: unknown): ConfigurationError {
	try {
		parseBedrockCredential(text as string, { now: NOW });
	} catch (error) {
		if (ConfigurationError.is(error)) return error;
		throw error;
	}
	throw new Error("It was taken.");
}

/** All that people and loggers make of a value. */
function printedFormsOf(value: unknown): string {
	const nested = { deep: [{ value }], map: new Map([["value", value]]) };
	const asObject = value as object;
	return [
		String(value),
		`${value}`,
		JSON.stringify(nested),
		...[
			{},
			{ showHidden: true },
			{ customInspect: false },
			{ showHidden: true, customInspect: false },
		].flatMap((options) => [
			inspect(value, { ...options, depth: 9 }),
			inspect(nested, { ...options, depth: 9 }),
		]),
		JSON.stringify([Object.entries(asObject), Reflect.ownKeys(asObject).map(String), { ...asObject }]),
		inspect(structuredClone(asObject), { depth: 9, showHidden: true }),
		inspect(Object.getOwnPropertyDescriptors(asObject), { depth: 9, showHidden: true }),
	].join("\n");
}

describe("JSON", () => {
	it.each([
		["as documented", { access_key_id: ACCESS, secret_access_key: SECRET }, LONG_TERM],
		["with a token", { access_key_id: TEMPORARY, secret_access_key: SECRET, session_token: TOKEN }, SESSION],
		[
			"without the optional one",
			{ access_key_id: ACCESS, secret_access_key: SECRET, session_token: null },
			LONG_TERM,
		],
		[
			"as `export-credentials` prints it",
			{ Version: 1, ...PRINTED, Expiration: "2026-05-01T12:00:01+00:00" },
			SESSION,
		],
		[
			"as `assume-role` prints it",
			{
				Credentials: { ...PRINTED, Expiration: "2026-05-01T12:30:00.189000+00:00" },
				AssumedRoleUser: { Arn: "x" },
			},
			SESSION,
		],
		["as AWS's SDKs have it", SESSION, SESSION],
		["… of long-term keys", LONG_TERM, LONG_TERM],
		["… in the options of a client", { region: "eu-west-1", credentials: SESSION }, SESSION, "eu-west-1"],
		[
			"as variables are called",
			{ aws_access_key_id: TEMPORARY, aws_secret_access_key: SECRET, aws_session_token: TOKEN },
			SESSION,
		],
		[
			"… in capitals",
			{ AWS_ACCESS_KEY_ID: ACCESS, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: "us-east-1" },
			LONG_TERM,
			"us-east-1",
		],
		[
			"with a region",
			{ access_key_id: ACCESS, secret_access_key: SECRET, region: " eu-west-1 " },
			LONG_TERM,
			"eu-west-1",
		],
		["with an empty region", { ...LONG_TERM, region: "" }, LONG_TERM],
		[
			"with a region beside what the CLI prints",
			{ Credentials: PRINTED, Region: "eu-west-1" },
			SESSION,
			"eu-west-1",
		],
		["in two spellings that agree", { ...PRINTED, ...SESSION, session_token: ` ${TOKEN} ` }, SESSION],
	])("%s", (_, value, expected, region?: string) => {
		for (const indent of [0, 4])
			expect(read(`\uFEFF${JSON.stringify(value, undefined, indent)}\r\n`)).toEqual({ ...expected, region });
	});

	it.each([
		"2026-05-01T12:00:00Z",
		"2026-05-01T13:59:59+02:00",
		"2026-05-01T11:59:59.999999+00:00",
		"2020-01-01",
	])("that has expired: %s", (Expiration) => {
		for (const value of [{ ...PRINTED, Expiration }, { Credentials: { ...PRINTED, Expiration } }])
			expect(errorOf(JSON.stringify(value)).code).toBe("expired_credential");
	});

	it("is compared with the clock by default", () => {
		const text = (time: number) =>
			JSON.stringify({ ...PRINTED, Expiration: new Date(Date.now() + time).toISOString() });
		expect(() => parseBedrockCredential(text(-60_000))).toThrow(/expired/);
		expect(parseBedrockCredential(text(600_000)).kind).toBe("sigv4");
	});
});

describe("parts with colons", () => {
	it.each([
		[`${ACCESS}:${SECRET}`, LONG_TERM, undefined],
		[`\uFEFF ${ACCESS}:${SECRET}\r\n`, LONG_TERM, undefined],
		[`${ACCESS}: ${SECRET}`, LONG_TERM, undefined],
		[`${ACCESS}:${SECRET}:`, LONG_TERM, undefined],
		[`${ACCESS}:${SECRET}::`, LONG_TERM, undefined],
		[`${ACCESS}:${SECRET}:eu-west-1`, LONG_TERM, "eu-west-1"],
		[`${ACCESS}:${SECRET}:us-gov-west-1`, LONG_TERM, "us-gov-west-1"],
		[`${TEMPORARY}:${SECRET}::${TOKEN}`, SESSION, undefined],
		[`${TEMPORARY}:${SECRET}:ap-southeast-2:${TOKEN}\n`, SESSION, "ap-southeast-2"],
		["test:test", { accessKeyId: "test", secretAccessKey: "test" }, undefined],
	])("%j", (text, expected, region) => {
		expect(read(text)).toEqual({ ...expected, region });
	});
});

it.each([
	API_KEY,
	` ${API_KEY}\n`,
	`\uFEFF${API_KEY}`,
	"bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29tLz9BY3Rpb24=",
])("anything else is a Bedrock API key: %j", (text) => {
	const credential = parseBedrockCredential(text);
	expect(credential.kind).toBe("bearer");
	expect(getSecret(credential)).toEqual({ apiKey: text.trim() });
});

describe("what is half-formed is refused, with what is wrong", () => {
	const json = (value: unknown) => JSON.stringify(value);
	it.each([
		["", /empty/],
		[" \n\uFEFF", /empty/],
		[undefined, /empty/],
		[{ access_key_id: ACCESS }, /empty/],
		[`:${SECRET}`, /`ACCESS` is missing/],
		[` : ${SECRET}`, /`ACCESS` is missing/],
		[`${ACCESS}:`, /`SECRET` is missing/],
		[`${ACCESS}::eu-west-1`, /`SECRET` is missing/],
		[":", /`ACCESS` is missing/],
		[`${TEMPORARY}:${SECRET}:eu-west-1:`, /`SESSION_TOKEN`.*temporary/],
		[`${ACCESS}:${SECRET}:eu-west-1:a:b`, /four parts/],
		[`${TEMPORARY}:${SECRET}:${TOKEN}`, /region as its third part, or nothing/],
		[`${ACCESS}:${SECRET}:eu-west-1${TOKEN}`, /region as its third part/],
		[`${ACCESS}:${SECRET}:Europe`, /region as its third part/],
		[`${TEMPORARY}:${SECRET}`, /`SESSION_TOKEN`.*temporary/],
		[`${SECRET}:${ACCESS}`, /letters and digits/],
		[`${ACCESS}:${SECRET.slice(0, 9)} ${SECRET.slice(9)}`, /`SECRET` of ASCII/],
		[`${ACCESS}:${SECRET}é`, /`SECRET` of ASCII/],
		[`${TEMPORARY}:${SECRET}::${TOKEN}\n${TOKEN}`, /`SESSION_TOKEN` of ASCII/],
		[ACCESS, /secret after the access key id/],
		[TEMPORARY, /secret after the access key id/],
		[`${API_KEY} x`, /without blanks/],
		[`\u200B${API_KEY}`, /ASCII/],
		[`Bearer ${API_KEY}`, /without `Bearer`/],
		[`"${API_KEY}"`, /quotes/],
		[`'${ACCESS}:${SECRET}'`, /quotes/],
		[json([ACCESS, SECRET]), /brackets/],
		["https://bedrock-runtime.us-east-1.amazonaws.com", /URL/],
		[`AWS_ACCESS_KEY_ID=${ACCESS}\nAWS_SECRET_ACCESS_KEY=${SECRET}`, /environment/],
		[`export AWS_ACCESS_KEY_ID=${ACCESS}`, /environment/],
		[`$Env:AWS_ACCESS_KEY_ID="${ACCESS}"`, /environment/],
		[`[default]\naws_access_key_id = ${ACCESS}\naws_secret_access_key = ${SECRET}`, /environment/],
		[`AWS_BEARER_TOKEN_BEDROCK=${API_KEY}`, /environment/],
		[`{"access_key_id":"${ACCESS}","secret_access_key":"${SECRET}`, /valid JSON/],
		[`{access_key_id:'${ACCESS}'}`, /valid JSON/],
		["{}", /`access_key_id` is missing/],
		[json({ AccessKey: { AccessKeyId: ACCESS, SecretAccessKey: SECRET } }), /`access_key_id` is missing/],
		[json({ ...LONG_TERM, aws_secret_access_key: `${SECRET}x` }), /one `secret_access_key`.*two that differ/],
		[json({ ...LONG_TERM, AccessKeyId: "" }), /one `access_key_id`.*two that differ/],
		[json({ ...LONG_TERM, Credentials: PRINTED }), /two that differ/],
		[json({ ...SESSION, SessionToken: TOKEN.slice(1) }), /one `session_token`/],
		[json({ ...LONG_TERM, region: "eu-west-1", aws_region: "eu-west-2" }), /one `region`/],
		[json({ ...LONG_TERM, region: "Europe" }), /region of AWS as its `region`/],
		[json({ ...LONG_TERM, region: 1 }), /string as its `region`/],
		[json({ constructor: ACCESS, toString: SECRET }), /`access_key_id` is missing/],
		[json({ access_key_id: ACCESS }), /`secret_access_key` is missing/],
		[json({ access_key_id: " ", secret_access_key: SECRET }), /`access_key_id` is missing/],
		[json({ access_key_id: ACCESS, secret_access_key: 7 }), /string as its `secret_access_key`/],
		[
			json({ access_key_id: ACCESS, secret_access_key: SECRET, session_token: [TOKEN] }),
			/string as its `session_token`/,
		],
		[json({ access_key_id: TEMPORARY, secret_access_key: SECRET }), /`session_token`.*temporary/],
		[json({ Credentials: [PRINTED] }), /`Credentials`/],
		[json({ ...PRINTED, Expiration: "soon" }), /ISO 8601/],
		[json({ ...PRINTED, Expiration: 1 }), /string as its `Expiration`/],
	])("%j", (text, message) => {
		const error = errorOf(text);
		expect(error.code).toBe("invalid_credential");
		expect(error.message).toMatch(message);
		expect(error).toMatchObject({ option: "credential", message: expect.stringMatching(/^`credential`/) });
		expect(error.hint).toContain("`ACCESS:SECRET`");
		expect(error.cause).toBeUndefined();
		const printed = inspect(error, { showHidden: true }) + JSON.stringify(error);
		for (const part of [ACCESS, TEMPORARY, SECRET, TOKEN, API_KEY, "Europe", "soon"])
			expect(printed).not.toContain(part.slice(0, 8));
	});
});

describe("a parsed credential", () => {
	it("is opaque, and shows its kind", () => {
		const credential = parseBedrockCredential(`${TEMPORARY}:${SECRET}:eu-west-1:${TOKEN}`);
		expect(String(credential)).toBe("[Bedrock credential: sigv4]");
		expect(inspect(credential)).toBe(String(credential));
		expect(Object.entries(credential)).toEqual([
			["kind", "sigv4"],
			["region", "eu-west-1"],
		]);
		expect(() => Object.assign(credential, { region: "us-east-1" })).toThrow(TypeError);
		expect(Object.keys(parseBedrockCredential(API_KEY))).toEqual(["kind"]);
	});

	it("cannot be copied or made up", () => {
		const credential = parseBedrockCredential(API_KEY);
		const others = [{ ...credential }, structuredClone(credential), Object.create(credential), undefined];
		for (const other of others) expect(() => getSecret(other as object)).toThrow(/parseBedrockCredential/);
	});

	it("is not taken from the environment", () => {
		const names = {
			AWS_ACCESS_KEY_ID: "AKIAENV",
			AWS_SECRET_ACCESS_KEY: "env",
			AWS_SESSION_TOKEN: "env",
			AWS_REGION: "eu-north-1",
			AWS_BEARER_TOKEN_BEDROCK: "env",
		};
		for (const [name, value] of Object.entries(names)) vi.stubEnv(name, value);
		try {
			expect(read(`${ACCESS}:${SECRET}`)).toEqual(LONG_TERM);
			expect(errorOf(" ").message).toMatch(/empty/);
		} finally {
			vi.unstubAllEnvs();
		}
	});
});

describe("no part of a secret is shown", () => {
	/** Not `fc.string`, which puts in words of JavaScript that are shown anyway. */
	const text = (alphabet: string, minLength: number, maxLength: number) =>
		fc.array(fc.constantFrom(...alphabet), { minLength, maxLength }).map((characters) => characters.join(""));
	const BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const secret = text(BASE_64, 20, 60);
	const access = text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16, 16).map((value) => `AKIA${value}`);
	const keys = fc.record({ access, secret, token: secret });

	const pieces = (value: string) => [value.slice(0, 8), value.slice(-8), value.slice(4, 12)];
	const expectHidden = (printed: string, values: readonly string[]) => {
		for (const piece of values.flatMap(pieces)) expect(printed.includes(piece)).toBe(false);
	};

	it("of what is taken", () => {
		fc.assert(
			fc.property(keys, ({ access, secret, token }) => {
				const object = { access_key_id: access, secret_access_key: secret, session_token: token };
				for (const written of [`${access}:${secret}:eu-west-1:${token}`, JSON.stringify(object), secret]) {
					const credential = parseBedrockCredential(written);
					expectHidden(printedFormsOf(credential), [access, secret, token]);
					const revealed = getSecret(credential);
					expect(revealed).toEqual(
						written === secret
							? { apiKey: secret }
							: { accessKeyId: access, secretAccessKey: secret, sessionToken: token },
					);
				}
			}),
		);
	});

	it("of what is refused, or cut, joined and quoted at random", () => {
		const glue = fc.constantFrom(":", "::", " ", "\n", "{", '"', "=", "", "{}", ":::::", "é", "\\");
		fc.assert(
			fc.property(keys, fc.array(glue, { minLength: 4, maxLength: 4 }), (values, [a, b, c, d]) => {
				const { access, secret, token } = values;
				const written = `${a}${access}${b}${secret}${c}${token}${d}`;
				let printed: string;
				try {
					printed = printedFormsOf(parseBedrockCredential(written));
				} catch (error) {
					if (!ConfigurationError.is(error)) throw error;
					printed = `${printedFormsOf(error)}${error.message}${error.hint}`;
				}
				expectHidden(printed, [access, secret, token]);
			}),
			{ numRuns: 300 },
		);
	});

	it("of JSON that is refused", () => {
		const name = fc.constantFrom(
			"access_key_id",
			"SecretAccessKey",
			"session_token",
			"Expiration",
			"Credentials",
		);
		fc.assert(
			fc.property(name, secret, fc.boolean(), (key, value, isNested) => {
				const written = JSON.stringify(isNested ? { Credentials: { [key]: value } } : { [key]: value });
				for (const broken of [written, written.slice(0, -1)]) {
					const error = errorOf(broken);
					expectHidden(`${printedFormsOf(error)}${error.hint}`, [value]);
				}
			}),
		);
	});

	it("and text of any sort gives a credential or an error of ours", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }), (units) => {
				const value = String.fromCharCode(...units);
				try {
					expect(["sigv4", "bearer"]).toContain(parseBedrockCredential(value).kind);
				} catch (error) {
					expect(ConfigurationError.is(error) && error.code).toBe("invalid_credential");
				}
			}),
		);
	});
});
