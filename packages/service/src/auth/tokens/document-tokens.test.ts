import { expect, it } from "vitest";
import { createFingerprint } from "../fingerprint";
import { createDocumentTokens, DOCUMENT_TOKEN_STEP_MS, DOCUMENT_TOKEN_TTL_MS } from "./document-tokens";

const KEY = "ck_0000000000000000000000000a";
const DOCUMENT = "doc_0000000000000000000000000b";
const OTHER_DOCUMENT = "doc_0000000000000000000000000c";

let now = 1_800_000_000_000;
const tokens = createDocumentTokens(createFingerprint(Buffer.alloc(32, 1)), () => now);
const subject = { clientKeyId: KEY, documentId: DOCUMENT };

it("names the client key that it was made for, until it expires", () => {
	const token = tokens.create(subject);
	expect(tokens.read(token, DOCUMENT)).toBe(KEY);
	now += DOCUMENT_TOKEN_TTL_MS - 1;
	expect(tokens.read(token, DOCUMENT)).toBe(KEY);
	now += 1 + DOCUMENT_TOKEN_STEP_MS;
	expect(() => tokens.read(token, DOCUMENT)).toThrow(
		expect.objectContaining({ code: "document_token_expired", hint: expect.stringContaining("Ask again") }),
	);
});

it("is the same for some minutes, so that a browser finds the document in its cache", () => {
	now = 1_800_000_000_001;
	const token = tokens.create(subject);
	now += DOCUMENT_TOKEN_STEP_MS - 1;
	expect(tokens.create(subject)).toBe(token);
	now += 1;
	const next = tokens.create(subject);
	expect(next).not.toBe(token);
	now += DOCUMENT_TOKEN_TTL_MS - 1;
	expect(tokens.read(next, DOCUMENT)).toBe(KEY);
});

it("opens no other document", () => {
	expect(() => tokens.read(tokens.create(subject), OTHER_DOCUMENT)).toThrow(
		expect.objectContaining({ code: "document_not_allowed" }),
	);
});

it("cannot be changed, cut, lengthened, or made with another secret", () => {
	const token = tokens.create(subject);
	const refused = expect.objectContaining({ code: "invalid_credentials" });
	const others = createDocumentTokens(createFingerprint(Buffer.alloc(32, 2)), () => now);
	const changed = Array.from(token, (character, index) => {
		const other = character === "a" ? "b" : "a";
		return token.slice(0, index) + other + token.slice(index + 1);
	});
	// A signature has 256 bits in 43 characters: the last two bits mean nothing.
	for (const text of [...changed.slice(0, -1), token.slice(0, -1), `${token}a`, "", others.create(subject)])
		expect(() => tokens.read(text, DOCUMENT)).toThrow(refused);
	expect(() => tokens.read(token.replace("000b_", "000c_"), OTHER_DOCUMENT)).toThrow(refused);
});

it("is required", () => {
	expect(() => tokens.read(undefined, DOCUMENT)).toThrow(
		expect.objectContaining({ code: "missing_credentials" }),
	);
});
