import { describe, expect, it } from "vitest";
import type { ClientCaller, ClientKeyCaller } from "../auth/caller";
import { createFingerprint } from "../auth/fingerprint";
import { createContextId, isSecretContextId } from "./context-id";

const fingerprint = createFingerprint(new Uint8Array(32));
const server: ClientCaller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: [] };
const toKey = (id: string): ClientKeyCaller => ({
	kind: "client_key",
	id,
	workspaceId: "ws_1",
	scopes: [],
	agents: null,
	knowledgeBaseIds: null,
	models: false,
	expose: "answer",
	requestsPerMinute: 1,
	tokensPerDay: 1,
});
const key = toKey("ck_1");

describe("the context of a client key", () => {
	const made = createContextId(key, fingerprint);
	const [id = "", token = ""] = made.split(".");
	const [, other = ""] = createContextId(key, fingerprint).split(".");
	const elsewhere = createFingerprint(new Uint8Array(32).fill(1));

	it("is a secret where the service has made it", () => {
		expect(made).toMatch(/^ctx_\w{26}\.ct_[\w-]{43}$/);
		expect(isSecretContextId(made, key, fingerprint)).toBe(true);
	});

	it.each([
		["one of their own", "support"],
		["nothing", ""],
		["the id alone", id],
		["the id and no token", `${id}.`],
		["the token alone", `.${token}`],
		["the token of another", `${id}.${other}`],
		["the token for another id", `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}.${token}`],
		["more behind it", `${made}.x`],
		["less of it", made.slice(0, -1)],
		["one of another deployment", createContextId(key, elsewhere)],
		["one of another key", createContextId(toKey("ck_2"), fingerprint)],
		["one of a server", createContextId(server, fingerprint)],
		["other signs than ASCII", `${id}.${"é".repeat(token.length)}`],
	])("is no secret where it is %s", (_, contextId) => {
		expect(isSecretContextId(contextId, key, fingerprint)).toBe(false);
	});
});

it("is a server's own affair", () => {
	const made = createContextId(server, fingerprint);
	expect(made).toMatch(/^ctx_\w{26}$/);
	for (const contextId of [made, "support"])
		expect(isSecretContextId(contextId, server, fingerprint)).toBe(true);
});
