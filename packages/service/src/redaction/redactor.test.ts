import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secret } from "../encryption/secret";
import { createRedactor } from "./redactor";
import { unicodeText } from "./test-support/unicode-text";

const SECRET = 'p@ss/word+with "all" of it\\ & ~ümläut=%41!';
const KEY = "sk-proj-Zm9vYmFy_b-AzR0eXl6";

function createTestRedactor(...secrets: readonly (string | Secret)[]) {
	const redactor = createRedactor();
	for (const secret of secrets) redactor.add(secret);
	return redactor;
}

const percentEncodeAll = (text: string): string =>
	[...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");

/** Each way to write a secret, by its name. */
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
	"as it is": (secret) => secret,
	"in JSON": (secret) => JSON.stringify(secret),
	"in JSON in JSON": (secret) => JSON.stringify(JSON.stringify({ error: secret })),
	"in JSON in JSON in JSON": (secret) => JSON.stringify(JSON.stringify(JSON.stringify([secret]))),
	"in JSON, with escaped slashes": (secret) => JSON.stringify(secret).replaceAll("/", "\\/"),
	"in JSON of ASCII alone": (secret) =>
		JSON.stringify(secret).replace(
			/[^ -~]/g,
			(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
		),
	"in a URL": encodeURIComponent,
	"in a URL, in lower case": (secret) =>
		encodeURIComponent(secret).replace(/%../g, (unit) => unit.toLowerCase()),
	"in a URL, escaped as a whole": encodeURI,
	"in a URL, each byte": percentEncodeAll,
	"in a URL in a URL": (secret) => encodeURIComponent(encodeURIComponent(secret)),
	"in a form": (secret) => new URLSearchParams({ q: secret }).toString(),
	"in a URL, in JSON": (secret) => JSON.stringify({ url: `https://x?${new URLSearchParams({ q: secret })}` }),
	"in JSON, in a URL": (secret) => `https://x?body=${encodeURIComponent(JSON.stringify({ secret }))}`,
	"in base64": (secret) => Buffer.from(secret).toString("base64"),
	"in base64url": (secret) => Buffer.from(secret).toString("base64url"),
	"in base64, behind one byte": (secret) => Buffer.from(`:${secret}`).toString("base64"),
	"in base64, behind two bytes": (secret) => Buffer.from(`ab${secret}`).toString("base64"),
	"in base64, behind a name and before more": (secret) =>
		Buffer.from(`user:${secret}:more`).toString("base64"),
	"in base64url, behind a name and before more": (secret) =>
		Buffer.from(`user:${secret}:mor`).toString("base64url"),
	"in base64, in a URL": (secret) => encodeURIComponent(Buffer.from(`u:${secret}`).toString("base64")),
	"in hexadecimal": (secret) => Buffer.from(secret).toString("hex"),
	"in hexadecimal, in capitals": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
	"as bytes": (secret) => JSON.stringify(Buffer.from(secret)),
	"as bytes with indexes": (secret) => JSON.stringify(new Uint8Array(Buffer.from(secret))),
	"as bytes with indexes, in JSON": (secret) =>
		JSON.stringify(JSON.stringify({ body: new Uint8Array(Buffer.from(secret)) })),
	"as bytes, as they are inspected": (secret) =>
		inspect(new Uint8Array(Buffer.from(secret)), { maxArrayLength: null }),
};

/** What a reader could still take out of a text, in any of its forms. */
function isVisibleIn(text: string, secret: string): boolean {
	const middle = secret.slice(3, 12);
	return Object.values(ENCODINGS).some((form) => text.includes(form(middle).replace(/^"|"$/g, "")));
}

describe.each(Object.entries(ENCODINGS))("a secret %s", (_, form) => {
	it.each([SECRET, KEY, "12345678", "äöüÄÖÜß€"])("is taken out: %s", (secret) => {
		const text = `before ${form(secret)} after`;
		const redacted = createTestRedactor(secret).redact(text);
		expect(redacted).toMatch(/^before .*\*\*\*\*.* after$/s);
		expect(redacted).not.toContain(secret);
		// At the ends of base64, up to two characters and the padding hold bits of others too.
		const shortest = form("").length + 30;
		expect(redacted.length).toBeLessThan("before  after".length + shortest);
	});

	it("is taken out where it is, whatever is decoded before it", () => {
		const redactor = createTestRedactor(SECRET);
		const before = `\\"\\\\\\\\${"%2525".repeat(9)}\\u0041\\\\n 1,2,3,4,5,6,7,8,9 `;
		expect(redactor.redact(before + form(SECRET))).toBe(before + redactor.redact(form(SECRET)));
	});

	it("is taken out behind one that stands there in another form", () => {
		const redactor = createTestRedactor(SECRET, KEY);
		const [first, second] = [redactor.redact(form(SECRET)), redactor.redact(form(KEY))];
		expect(redactor.redact(`${form(SECRET)} ${KEY}`)).toBe(`${first} ****`);
		expect(redactor.redact(`${KEY} ${form(SECRET)} ${form(KEY)}`)).toBe(`**** ${first} ${second}`);
	});

	it("is not found where there is none", () => {
		const text = `before ${form(KEY)} after`;
		expect(createTestRedactor("another-secret", SECRET).redact(text)).toBe(text);
	});
});

describe("secrets", () => {
	it("whatever they are and wherever they stand, are not there any more", () => {
		const secret = fc.string({ minLength: 8, maxLength: 60 });
		const around = unicodeText();
		const form = fc.constantFrom(...Object.keys(ENCODINGS));
		fc.assert(
			fc.property(secret, around, around, form, (text, before, after, name) => {
				fc.pre(text.trim().length >= 8 && new Set(text).size > 4);
				const written = ENCODINGS[name]?.(text.trim()) ?? "";
				const redacted = createTestRedactor(text).redact(`${before} ${written} ${after}`);
				expect(redacted).toContain("****");
				expect(isVisibleIn(redacted.replace(before, "").replace(after, ""), text.trim())).toBe(false);
			}),
			{ numRuns: 500 },
		);
	});

	it("leave all else as it is", () => {
		const redactor = createTestRedactor(KEY, SECRET);
		fc.assert(
			fc.property(unicodeText({ maxLength: 200 }), (text) => {
				expect(redactor.redact(text)).toBe(text);
				expect(redactor.redact(`${text}\n${KEY}\n${text}`)).toBe(`${text}\n****\n${text}`);
			}),
			{ numRuns: 100 },
		);
	});

	it("may be many in one text, side by side, and begin alike", () => {
		const redactor = createTestRedactor(
			"secret-one",
			"secret-one-longer",
			"secretive",
			new Secret("another one"),
		);
		expect(redactor.redact("secret-one, secret-one-longersecretive; another one!")).toBe("****, ****; ****!");
	});

	it("below 8 characters are left out", () => {
		expect(createTestRedactor("1234567", "").redact("12345678 1234567")).toBe("12345678 1234567");
		expect(createTestRedactor("1234567").redact("MTIzNDU2Nw== 31323334353637")).toBe(
			"MTIzNDU2Nw== 31323334353637",
		);
		expect(createTestRedactor("12345678").redact("12345678 1234567")).toBe("**** 1234567");
	});

	it("lose the blanks that they were pasted with", () => {
		expect(createTestRedactor(` ${KEY}\n`).redact(`Bearer ${KEY}.`)).toBe("Bearer ****.");
	});

	it("are at most 10,000; the one that was not added for the longest time goes", () => {
		const name = (number: number): string => `secret number ${number}.`;
		const redactor = createRedactor();
		for (let number = 0; number < 10_000; number++) redactor.add(name(number));
		redactor.add(name(0));
		redactor.add(name(10_000));
		const shown = [0, 1, 2, 9999, 10_000].filter((number) => redactor.redact(name(number)) === name(number));
		expect(shown).toEqual([1]);
		for (const form of Object.values(ENCODINGS)) expect(redactor.redact(form(name(1)))).toBe(form(name(1)));
	});

	it("that were there from the beginning stay, however many come", () => {
		const redactor = createRedactor([new Secret(KEY)]);
		redactor.add(KEY);
		for (let number = 0; number < 10_001; number++) redactor.add(`secret number ${number}.`);
		expect(redactor.redact(`${KEY} secret number 0. secret number 1.`)).toBe("**** secret number 0. ****");
	});

	it("are at most 4 million characters together", () => {
		const redactor = createTestRedactor("the first one");
		for (let number = 0; number < 5; number++) redactor.add(`${number}`.repeat(900_000));
		expect(redactor.redact("the first one")).toBe("the first one");
		expect(redactor.redact("4".repeat(900_000))).toBe("****");
	});
});

describe("AWS keys", () => {
	const ACCESS = "AKIAIOSFODNN7EXAMPLE";
	const SIGNING = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
	const TOKEN = "FwoGZXIvYXdzEBYaDK+s/x3Yw==";
	const PRINTED_KEYS = { AccessKeyId: ACCESS, SecretAccessKey: SIGNING, SessionToken: TOKEN };

	it.each([
		["with colons", `${ACCESS}:${SIGNING}:eu-west-1:${TOKEN}`],
		["with colons and no region", `${ACCESS}:${SIGNING}::${TOKEN}`],
		["as JSON", JSON.stringify({ access_key_id: ACCESS, secret_access_key: SIGNING, session_token: TOKEN })],
		["as the AWS CLI prints them", JSON.stringify({ Version: 1, ...PRINTED_KEYS }, undefined, 4)],
		[
			"as AWS's SDKs have them",
			JSON.stringify({ accessKeyId: ACCESS, secretAccessKey: SIGNING, sessionToken: TOKEN }),
		],
		[
			"as variables are called",
			JSON.stringify({ aws_access_key_id: ACCESS, AWS_SECRET_ACCESS_KEY: SIGNING, aws_session_token: TOKEN }),
		],
		[
			"as `assume-role` prints them",
			JSON.stringify({ Credentials: PRINTED_KEYS, AssumedRoleUser: { Arn: "x" } }),
		],
	])("%s are a secret and a token; the id is none", (_, credential) => {
		const redactor = createTestRedactor(credential);
		expect(redactor.redact(`${ACCESS} ${SIGNING} ${TOKEN} eu-west-1 AssumedRoleUser`)).toBe(
			`${ACCESS} **** **** eu-west-1 AssumedRoleUser`,
		);
		const whole = redactor.redact(`got ${credential}`);
		expect(whole).toContain(ACCESS);
		expect(whole).not.toContain(SIGNING);
		expect(whole).not.toContain(TOKEN);
	});

	it.each([
		["deadbeefdeadbeef:cafe", "deadbeefdeadbeef:cafe"],
		["1234567:AAH-a-token-of-a-bot", "AAH-a-token-of-a-bot"],
		["a:b:c:d:e-and-more", "a:b:c:d:e-and-more"],
		['{"type":"account","private_key":"MIIE"}', '{"type":"account","private_key":"MIIE"}'],
		['{"this":is no JSON', '{"this":is no JSON'],
	])("are not everything with colons: %s", (secret, found) => {
		expect(createTestRedactor(secret).redact(`got ${found}.`)).toBe("got ****.");
	});
});

describe("credentials of Stemma's own", () => {
	const random = (): string => randomBytes(32).toString("base64url");
	const id = "01jz8m4k3q9w7v5x2c6b1n0d3f";

	it.each(["cs_", "tok_", "rt_", "sl_", "st_", `ck_${id}_`])("need not be added: %s", (prefix) => {
		const redactor = createRedactor();
		for (const text of [`"${prefix}${random()}"`, `x=${prefix}${random()}&y`, `\\n${prefix}${random()} `])
			expect(redactor.redact(text)).toBe(text.replace(/_[\w-]{43}(?![\w-])/, "_****"));
	});

	it.each([`ck_${id}`, `cl_${id}`, "cs_short", `rt_${"a".repeat(42)}`])("are not ids: %s", (text) => {
		expect(createRedactor().redact(`the ${text} of it`)).toBe(`the ${text} of it`);
	});
});

it("takes no longer with many secrets than with one", () => {
	const line = "sk-proj-".repeat(1_000_000);
	const many = createRedactor();
	for (let number = 0; number < 5000; number++) many.add(`sk-proj-${number}-${number * 7919}-and-more-of-it`);
	const started = process.threadCpuUsage();
	expect(many.redact(line)).toBe(line);
	// Looking for one after the other takes far longer.
	expect(process.threadCpuUsage(started).user).toBeLessThan(10_000_000);
});
