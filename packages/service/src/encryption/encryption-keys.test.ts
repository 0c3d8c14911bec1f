import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findKeyProblem, importKey, toKeyCheck } from "./encryption-keys";
import { Secret } from "./secret";

// Every character that only one of the two alphabets has, and a last digit that padding follows.
const BYTES = Buffer.concat([Buffer.from("fb".repeat(16) + "ff".repeat(15), "hex"), Buffer.from([0x42])]);
const BASE64 = BYTES.toString("base64");

const toBytes = (text: string) => importKey({ id: "k", key: new Secret(text) }).export();

describe("the text of a key", () => {
	it.each([
		["base64", BASE64],
		["base64 without padding", BASE64.slice(0, -1)],
		["base64url", BYTES.toString("base64url")],
		["base64url with padding", `${BYTES.toString("base64url")}=`],
		["hexadecimal", BYTES.toString("hex")],
		["hexadecimal in capitals", BYTES.toString("hex").toUpperCase()],
		["with the line end of a file", `${BASE64}\r\n`],
	])("may be %s", (_, text) => {
		expect(findKeyProblem(text)).toBeUndefined();
		expect(toBytes(text)).toEqual(BYTES);
	});

	it.each([
		["nothing", ""],
		["a phrase", "correct horse battery staple and more"],
		["16 bytes", randomBytes(16).toString("base64")],
		["31 bytes", randomBytes(31).toString("base64")],
		["33 bytes", randomBytes(33).toString("base64")],
		["one hexadecimal digit less", BYTES.toString("hex").slice(1)],
		["both alphabets", BASE64.replace("/", "_")],
		["a bit too many at the end", BASE64.replace(/I=$/, "J=")],
		["something in between", `${BASE64.slice(0, 20)} ${BASE64.slice(20)}`],
		["other bytes behind it", `${BASE64}\0`],
		["a command that was not run", "$(openssl rand -base64 32)"],
	])("is not %s", (_, text) => {
		const problem = findKeyProblem(text);
		expect(problem).toMatch(/^must be 32 random bytes.*`openssl rand -base64 32` makes one$/);
		expect(problem).toContain(`(this has ${text.trim().length})`);
		if (text !== "") expect(problem).not.toContain(text);
		expect(() => toBytes(text)).toThrow("An encryption key must be");
	});

	it("means the same bytes in every form", () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
				const key = Buffer.from(bytes);
				for (const form of ["base64", "base64url", "hex"] as const)
					expect(toBytes(key.toString(form))).toEqual(key);
			}),
		);
	});
});

it("the check of a key is the same in every form, another for every key, and none of its bytes", () => {
	const checkOf = (text: string) => toKeyCheck(importKey({ id: "k", key: new Secret(text) }));
	expect(checkOf(BYTES.toString("hex"))).toBe(checkOf(BASE64));
	const checks = Array.from({ length: 200 }, () => checkOf(randomBytes(32).toString("hex")));
	expect(new Set(checks).size).toBe(200);
	// Kept beside what is encrypted: it must stay what it is.
	expect(checkOf("00".repeat(32))).toBe("su3pG916V-C7YJ5Y");
});
