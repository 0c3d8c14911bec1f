import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unicodeText } from "../redaction/test-support/unicode-text";
import type { EncryptionKey } from "./encryption-keys";
import { type CiphertextBinding, createKeyring } from "./keyring";
import { Secret } from "./secret";

const createKey = (id: string): EncryptionKey => ({
	id,
	key: new Secret(randomBytes(32).toString("base64")),
});

const createNamedKey = ({ key }: EncryptionKey, id: string): EncryptionKey => ({ id, key });

const [one, two, three] = [createKey("one"), createKey("two"), createKey("three")];
const keyring = createKeyring([one]);
const BINDING: CiphertextBinding = {
	workspaceId: "ws_1",
	purpose: "llm_settings:bedrock",
	address: "https://bedrock-runtime.eu-west-1.amazonaws.com",
};
const API_KEY = new Secret("sk-a-key-that-nobody-else-has");

const text = unicodeText({ maxLength: 300 });
const binding: fc.Arbitrary<CiphertextBinding> = fc.record({
	workspaceId: text,
	purpose: text,
	address: text,
});

describe("what is sealed", () => {
	it("opens with the same binding", () => {
		fc.assert(
			fc.property(text, binding, text, (plain, bound, id) => {
				const keys = createKeyring([createNamedKey(one, id), two]);
				const envelope = keys.encrypt(new Secret(plain), { ...bound });
				expect(keys.decrypt(envelope, { ...bound })?.reveal()).toBe(plain);
				expect(keys.isCurrent(envelope)).toBe(true);
			}),
		);
	});

	it("opens with no other", () => {
		fc.assert(
			fc.property(binding, binding, (bound, other) => {
				fc.pre(JSON.stringify(Object.values(bound)) !== JSON.stringify(Object.values(other)));
				expect(keyring.decrypt(keyring.encrypt(API_KEY, bound), other)).toBeUndefined();
			}),
		);
	});

	it.each([
		["of another workspace", { workspaceId: "ws_2" }],
		["of another provider", { purpose: "llm_settings:openai-compatible" }],
		["for another address", { address: "https://bedrock-runtime.eu-west-2.amazonaws.com" }],
		["for an address with a slash behind it", { address: `${BINDING.address}/` }],
		["cut elsewhere", { workspaceId: "ws_1llm", purpose: "_settings:bedrock" }],
		["cut elsewhere, in JSON", { workspaceId: 'ws_1","llm_settings:bedrock', purpose: "" }],
	])("does not open with a binding %s", (_, change) => {
		expect(keyring.decrypt(keyring.encrypt(API_KEY, BINDING), { ...BINDING, ...change })).toBeUndefined();
	});

	it("does not open once any bit of it is another", () => {
		const envelope = Buffer.from(keyring.encrypt(API_KEY, BINDING), "latin1");
		for (let bit = 0; bit < envelope.length * 8; bit++) {
			const changed = Buffer.from(envelope);
			changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
			expect({ bit, opened: keyring.decrypt(changed.toString("latin1"), BINDING) }).toEqual({ bit });
		}
	});

	it("does not open with anything cut off, added or exchanged", () => {
		const envelope = keyring.encrypt(API_KEY, BINDING);
		for (let end = 0; end < envelope.length; end++)
			expect(keyring.decrypt(envelope.slice(0, end), BINDING)).toBeUndefined();
		const [version, , check, box] = envelope.split(".");
		const oddId = ["=", "A", "AAAA", "\n", ".", " "].flatMap((more) => [envelope + more, more + envelope]);
		for (const changed of [
			...oddId,
			`${version}.other.${check}.${box}`,
			`${version}.one.${check}.`,
			"",
			"sealed1",
		])
			expect({ changed, opened: keyring.decrypt(changed, BINDING) }).toEqual({ changed });
	});

	it("is text of a kind that any column and any log takes, and shows nothing of what it holds", () => {
		fc.assert(
			fc.property(unicodeText({ minLength: 4 }), (plain) => {
				const envelope = keyring.encrypt(new Secret(plain), BINDING);
				expect(envelope).toMatch(/^sealed1\.one\.[\w-]{16}\.[\w-]+$/);
				const [, , , box = ""] = envelope.split(".");
				const bytes = Buffer.from(box, "base64url");
				for (const form of ["utf8", "utf16le", "hex", "base64url"] as const)
					expect(bytes.includes(Buffer.from(Buffer.from(plain).toString(form)))).toBe(false);
				expect(bytes.length).toBe(12 + Buffer.byteLength(plain) + 16);
			}),
		);
	});

	it("has a nonce of its own each time", () => {
		const nonces = Array.from({ length: 10_000 }, () => {
			const [, , , box = ""] = keyring.encrypt(API_KEY, BINDING).split(".");
			return Buffer.from(box, "base64url").subarray(0, 12).toString("hex");
		});
		expect(new Set(nonces).size).toBe(10_000);
	});

	it("may have been encrypted with a key of any name", () => {
		for (const id of ["", ".", "a.b.c", "é/%", "sealed1.one", "\ud800", "x\ny"]) {
			const keys = createKeyring([createNamedKey(one, id)]);
			expect(keys.decrypt(keys.encrypt(API_KEY, BINDING), BINDING)?.reveal()).toBe(API_KEY.reveal());
		}
	});
});

describe("several keys", () => {
	it("all open, and the first seals, in whatever order they are", () => {
		const all = [one, two, three];
		for (const current of all)
			for (const order of [all, [...all].reverse(), [two, one, three]]) {
				const keys = createKeyring(order);
				const envelope = createKeyring([current]).encrypt(API_KEY, BINDING);
				expect(keys.decrypt(envelope, BINDING)?.reveal()).toBe(API_KEY.reveal());
				expect(keys.isCurrent(envelope)).toBe(order[0] === current);
				expect(
					createKeyring([order[0] ?? one]).decrypt(keys.encrypt(API_KEY, BINDING), BINDING),
				).toBeDefined();
			}
	});

	it("open nothing that another has encrypted", () => {
		const envelope = createKeyring([three]).encrypt(API_KEY, BINDING);
		expect(createKeyring([one, two]).decrypt(envelope, BINDING)).toBeUndefined();
		expect(createKeyring([one, createNamedKey(two, "three")]).decrypt(envelope, BINDING)).toBeUndefined();
		expect(createKeyring([]).decrypt(envelope, BINDING)).toBeUndefined();
	});

	it("are known by themselves, not by their names", () => {
		const envelope = createKeyring([createNamedKey(one, "environment")]).encrypt(API_KEY, BINDING);
		const renamed = createKeyring([createNamedKey(two, "environment"), createNamedKey(one, "old")]);
		expect(renamed.decrypt(envelope, BINDING)?.reveal()).toBe(API_KEY.reveal());
		// The name alone would say that it is, and the key that it needs would be thrown away.
		expect(renamed.isCurrent(envelope)).toBe(false);
		expect(createKeyring([createNamedKey(one, "new name")]).isCurrent(envelope)).toBe(true);
	});

	it("tell their names and their checks, in order, and nothing else", () => {
		const keys = createKeyring([two, one]);
		expect(keys.ids).toEqual(["two", "one"]);
		expect(keys.fingerprints.map(({ id }) => id)).toEqual(["two", "one"]);
		expect(new Set(keys.fingerprints.map(({ keyCheck }) => keyCheck)).size).toBe(2);
		const shown = inspect(keys, { depth: 9, showHidden: true }) + JSON.stringify(keys);
		for (const { key } of [one, two]) expect(shown).not.toContain(key.reveal());
	});

	it("must have names of their own", () => {
		expect(() => createKeyring([one, createNamedKey(two, "one")])).toThrow(
			'Two encryption keys have the id "one"',
		);
	});
});

it("without a key nothing is encrypted", () => {
	const empty = createKeyring([]);
	expect(empty).toMatchObject({ isEmpty: true, ids: [], fingerprints: [] });
	expect(keyring.isEmpty).toBe(false);
	expect(() => empty.encrypt(API_KEY, BINDING)).toThrow("There is no encryption key.");
	expect(empty.isCurrent(keyring.encrypt(API_KEY, BINDING))).toBe(false);
});

it("an envelope of the first version still opens", () => {
	const keys = createKeyring([{ id: "one", key: new Secret("07".repeat(32)) }]);
	expect(
		keys
			.decrypt(
				"sealed1.one.eTNemTJKzcRFwamQ.Ujr0YdveT-1EZRuXs96ZwVtjLr3hwWnclUe1eU5irx0xQMkhoO1TM5ZHNJ0xJ1unXW0u3jyqCWOJ",
				BINDING,
			)
			?.reveal(),
	).toBe(API_KEY.reveal());
});
