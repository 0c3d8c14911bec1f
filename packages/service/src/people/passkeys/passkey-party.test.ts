import { expect, test } from "vitest";
import { toPasskeyParty } from "./passkey-party";

test.each([
	["https://kb.example", "http://10.0.0.1:4000", { id: "kb.example", origin: "https://kb.example" }],
	["https://kb.example:8443", "http://x", { id: "kb.example", origin: "https://kb.example:8443" }],
	[undefined, "http://localhost:4000", { id: "localhost", origin: "http://localhost:4000" }],
	[undefined, "http://127.0.0.1:4000", { id: "localhost", origin: "http://localhost:4000" }],
	["http://127.0.0.1:4000", "http://x", { id: "localhost", origin: "http://localhost:4000" }],
])("with the public address %s, at %s, is %j", (publicOrigin, requestOrigin, party) => {
	expect(toPasskeyParty(publicOrigin, requestOrigin)).toEqual(party);
});

test.each([
	[undefined, "https://kb.example"],
	["https://192.0.2.1", "https://192.0.2.1"],
	["https://[2001:db8::1]", "https://[2001:db8::1]"],
	["http://kb.example", "http://kb.example"],
])("with the public address %s, there is none at %s", (publicOrigin, requestOrigin) => {
	expect(() => toPasskeyParty(publicOrigin, requestOrigin)).toThrow(
		expect.objectContaining({ code: "passkeys_unavailable" }),
	);
});
