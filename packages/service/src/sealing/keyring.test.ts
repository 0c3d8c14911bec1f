import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EncryptionKey } from "./encryption-keys";
import { createKeyring, type SealBinding } from "./keyring";
import { Secret } from "./secret";
import { anyText } from "./test-support/any-text";

const newKey = (id: string): EncryptionKey => ({
	id,
	key: new Secret(randomBytes(32).toString("base64")),
});

const named = ({ key }: EncryptionKey, id: string): EncryptionKey => ({ id, key });

const [one, two, three] = [newKey("one"), newKey("two"), newKey("three")];
const keyring = createKeyring([one]);
const BINDING: SealBinding = {
	workspaceId: "ws_1",
	purpose: "llm_settings:bedrock",
	address: "https://bedrock-runtime.eu-west-1.amazonaws.com",
};
const API_KEY = new Secret("sk-a-key-that-nobody-else-has");

const text = anyText({ maxLength: 300 });
const binding: fc.Arbitrary<SealBinding> = fc.record({ workspaceId: text, purpose: text, address: text });

describe("what is sealed", () => {
	it("opens with the same binding", () => {
		fc.assert(
			fc.property(text, binding, text, (plain, bound, id) => {
				const ring = createKeyring([named(one, id), two]);
				const envelope = ring.seal(new Secret(plain), { ...bound });
				expect(ring.open(envelope, { ...bound })?.reveal()).toBe(plain);
				expect(ring.isCurrent(envelope)).toBe(true);
			}),
		);
	});

	it("opens with no other", () => {
		fc.assert(
			fc.property(binding, binding, (bound, other) => {
				fc.pre(JSON.stringify(Object.values(bound)) !== JSON.stringify(Object.values(other)));
				expect(keyring.open(keyring.seal(API_KEY, bound), other)).toBeUndefined();
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
		expect(keyring.open(keyring.seal(API_KEY, BINDING), { ...BINDING, ...change })).toBeUndefined();
	});

	it("does not open once any bit of it is another", () => {
		const envelope = Buffer.from(keyring.seal(API_KEY, BINDING), "latin1");
		for (let bit = 0; bit < envelope.length * 8; bit++) {
			const changed = Buffer.from(envelope);
			changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
			expect({ bit, opened: keyring.open(changed.toString("latin1"), BINDING) }).toEqual({ bit });
		}
	});

	it("does not open with anything cut off, added or exchanged", () => {
		const envelope = keyring.seal(API_KEY, BINDING);
		for (let end = 0; end < envelope.length; end++)
			expect(keyring.open(envelope.slice(0, end), BINDING)).toBeUndefined();
		const [version, , check, box] = envelope.split(".");
		const odd = ["=", "A", "AAAA", "\n", ".", " "].flatMap((more) => [envelope + more, more + envelope]);
		for (const changed of [
			...odd,
			`${version}.other.${check}.${box}`,
			`${version}.one.${check}.`,
			"",
			"sealed1",
		])
			expect({ changed, opened: keyring.open(changed, BINDING) }).toEqual({ changed });
	});

	it("is text of a kind that any column and any log takes, and shows nothing of what it holds", () => {
		fc.assert(
			fc.property(anyText({ minLength: 4 }), (plain) => {
				const envelope = keyring.seal(new Secret(plain), BINDING);
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
			const [, , , box = ""] = keyring.seal(API_KEY, BINDING).split(".");
			return Buffer.from(box, "base64url").subarray(0, 12).toString("hex");
		});
		expect(new Set(nonces).size).toBe(10_000);
	});

	it("may have been sealed with a key of any name", () => {
		for (const id of ["", ".", "a.b.c", "é/%", "sealed1.one", "\ud800", "x\ny"]) {
			const ring = createKeyring([named(one, id)]);
			expect(ring.open(ring.seal(API_KEY, BINDING), BINDING)?.reveal()).toBe(API_KEY.reveal());
		}
	});
});

describe("several keys", () => {
	it("all open, and the first seals, in whatever order they are", () => {
		const all = [one, two, three];
		for (const sealing of all)
			for (const order of [all, [...all].reverse(), [two, one, three]]) {
				const ring = createKeyring(order);
				const envelope = createKeyring([sealing]).seal(API_KEY, BINDING);
				expect(ring.open(envelope, BINDING)?.reveal()).toBe(API_KEY.reveal());
				expect(ring.isCurrent(envelope)).toBe(order[0] === sealing);
				expect(createKeyring([order[0] ?? one]).open(ring.seal(API_KEY, BINDING), BINDING)).toBeDefined();
			}
	});

	it("open nothing that another has sealed", () => {
		const envelope = createKeyring([three]).seal(API_KEY, BINDING);
		expect(createKeyring([one, two]).open(envelope, BINDING)).toBeUndefined();
		expect(createKeyring([one, named(two, "three")]).open(envelope, BINDING)).toBeUndefined();
		expect(createKeyring([]).open(envelope, BINDING)).toBeUndefined();
	});

	it("are known by themselves, not by their names", () => {
		const envelope = createKeyring([named(one, "environment")]).seal(API_KEY, BINDING);
		const renamed = createKeyring([named(two, "environment"), named(one, "old")]);
		expect(renamed.open(envelope, BINDING)?.reveal()).toBe(API_KEY.reveal());
		// The name alone would say that it is, and the key that it needs would be thrown away.
		expect(renamed.isCurrent(envelope)).toBe(false);
		expect(createKeyring([named(one, "new name")]).isCurrent(envelope)).toBe(true);
	});

	it("tell their names and their checks, in order, and nothing else", () => {
		const ring = createKeyring([two, one]);
		expect(ring.ids).toEqual(["two", "one"]);
		expect(ring.fingerprints.map(({ id }) => id)).toEqual(["two", "one"]);
		expect(new Set(ring.fingerprints.map(({ check }) => check)).size).toBe(2);
		const shown = inspect(ring, { depth: 9, showHidden: true }) + JSON.stringify(ring);
		for (const { key } of [one, two]) expect(shown).not.toContain(key.reveal());
	});

	it("must have names of their own", () => {
		expect(() => createKeyring([one, named(two, "one")])).toThrow('Two encryption keys have the id "one"');
	});
});

it("without a key nothing is sealed", () => {
	const empty = createKeyring([]);
	expect(empty).toMatchObject({ isEmpty: true, ids: [], fingerprints: [] });
	expect(keyring.isEmpty).toBe(false);
	expect(() => empty.seal(API_KEY, BINDING)).toThrow("There is no encryption key.");
	expect(empty.isCurrent(keyring.seal(API_KEY, BINDING))).toBe(false);
});

it("an envelope of the first version still opens", () => {
	const ring = createKeyring([{ id: "one", key: new Secret("07".repeat(32)) }]);
	expect(
		ring
			.open(
				"sealed1.one.eTNemTJKzcRFwamQ.Ujr0YdveT-1EZRuXs96ZwVtjLr3hwWnclUe1eU5irx0xQMkhoO1TM5ZHNJ0xJ1unXW0u3jyqCWOJ",
				BINDING,
			)
			?.reveal(),
	).toBe(API_KEY.reveal());
});
