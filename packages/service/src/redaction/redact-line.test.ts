import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactLine as redactLineOf } from "./redact-line";
import { createRedactor, type Redactor } from "./redactor";

function createTestRedactor(...secrets: readonly string[]): Redactor {
	const redactor = createRedactor();
	for (const secret of secrets) redactor.add(secret);
	return redactor;
}

const redactLine = (line: string, redactor: Redactor): string =>
	redactLineOf(line, redactor, new Set(["cookie", "key"]));

const KEY = "sk-proj-Zm9vYmFy_b-AzR0eXl6";

describe("a line of a log", () => {
	it.each([
		["a text", { msg: `with ${KEY}` }, { msg: "with ****" }],
		["a name that is no word", { [KEY]: 1 }, { "****": 1 }],
		["a list", { all: ["a", [KEY], { b: KEY }] }, { all: ["a", ["****"], { b: "****" }] }],
		["bytes", { body: Buffer.from(`x${KEY}`) }, { body: { type: "Buffer", data: ["****"] } }],
		[
			"bytes with indexes",
			{ a: 1, body: new Uint8Array(Buffer.from(`x${KEY}`)), b: [2] },
			{ a: 1, body: { 0: "****" }, b: [2] },
		],
		["bytes with indexes in a text", { msg: JSON.stringify(new Uint8Array(Buffer.from(KEY))) }, undefined],
		["a number", { pin: 1234567890, pins: [1, 1234567890, "x"] }, { pin: "****", pins: ["****", "x"] }],
	])("loses a secret in %s", (_, value, expected) => {
		const line = `${JSON.stringify(value)}\n`;
		const redacted = redactLine(line, createTestRedactor(KEY, "1234567890"));
		expect(redacted).toMatch(/\n$/);
		expect(redacted).toContain("****");
		expect(redacted).not.toContain("107");
		if (expected !== undefined) expect(JSON.parse(redacted)).toEqual(expected);
	});

	it("keeps what the service writes into each line, whatever a tenant calls a secret", () => {
		const trustedFields = {
			time: "2026-11-21T18:12:59.361Z",
			request_id: `req_${"0".repeat(26)}`,
			method: "GET",
			path: "/v1/chat/completions",
			caller: `cl_${"0".repeat(26)}`,
		};
		const redactor = createTestRedactor(
			"2026-11-21",
			"/v1/chat/",
			trustedFields.caller,
			trustedFields.request_id,
		);
		expect(JSON.parse(redactLine(`${JSON.stringify(trustedFields)}\n`, redactor))).toEqual(trustedFields);
		const others = { time: `x${KEY}`, path: `/v1/agents/${KEY}`, caller: KEY, method: KEY };
		expect(redactLine(`${JSON.stringify(others)}\n`, createTestRedactor(KEY))).not.toContain("Zm9v");
	});

	it("stays as it is without one", () => {
		fc.assert(
			fc.property(fc.json(), (json) => {
				// Fields of some names are hidden whatever they hold.
				fc.pre(redactLine(`${json}\n`, createTestRedactor()) === `${json}\n`);
				expect(redactLine(`${json}\n`, createTestRedactor(KEY))).toBe(`${json}\n`);
			}),
		);
	});

	it("stays JSON, with all its fields, whatever tenants call a secret", () => {
		const line = JSON.stringify({
			level: 30,
			time: "2026-05-01T12:00:00.000Z",
			request_id: "req_1",
			bytes: [[1, 2, 3], [10, 20, 30], { a: 12345678.5 }],
			msg: 'a "quoted" text \\ and\nmore, to be read',
		});
		const pieces = fc
			.tuple(fc.nat(line.length), fc.integer({ min: 8, max: 40 }))
			.map(([start, length]) => line.slice(start, start + length));
		fc.assert(
			fc.property(fc.array(fc.oneof(pieces, fc.constant("request_id")), { maxLength: 5 }), (secrets) => {
				const redacted = JSON.parse(redactLine(line, createTestRedactor(...secrets)));
				expect(Object.keys(redacted)).toEqual(Object.keys(JSON.parse(line)));
				expect(redacted.level).toBe(30);
			}),
			{ numRuns: 500 },
		);
	});

	it.each(["short", "", 5, -1.5e9, null, true, [], {}, { a: "}]", b: [{ '"': "," }] }, ["]", [["\\"]]]])(
		"loses the whole value of a secret field: %j",
		(value) => {
			const line = JSON.stringify({
				a: [{ cookie: value, key_id: 1 }],
				cookie: value,
				b: "cookie",
				key: value,
			});
			expect(JSON.parse(redactLine(line, createTestRedactor()))).toEqual({
				a: [{ cookie: "****", key_id: 1 }],
				cookie: "****",
				b: "cookie",
				key: "****",
			});
		},
	);

	it("that is none is left out rather than shown", () => {
		for (const line of [`{"msg":"${KEY}`, `{"msg":"\\x ${KEY}"}`, `{"cookie":["${KEY}"`])
			expect(JSON.parse(redactLine(line, createTestRedactor(KEY)))).toEqual({
				level: 50,
				msg: expect.stringMatching(/left out/),
			});
	});

	it("may be as long as it likes", () => {
		const bytes = Buffer.alloc(60_000, 7);
		const line = JSON.stringify({ bytes, array: new Uint8Array(bytes), text: `"\\`.repeat(30_000) });
		expect(redactLine(line, createTestRedactor(KEY))).toBe(line);
	});
});
