import { isStemmaError } from "@stemma/core/errors";
import { describe, expect, it } from "vitest";
import { createKeyring } from "./keyring";
import {
	createEncryptionKey,
	decryptAll,
	openWorkspaceDatabase,
	putSecret,
	putSettings,
} from "./test-support/encrypted-workspace";
import { countCiphertexts, deleteUndecryptable, verifyCiphertexts } from "./verify-ciphertexts";

const one = createKeyring([createEncryptionKey("one")]);
const two = createKeyring([createEncryptionKey("two")]);
const none = createKeyring([]);

/** One without anything encrypted, one that the first key opens, one that each opens in part. */
async function openThreeWorkspaces() {
	const workspaces = ["ws_1", "ws_2", "ws_3"].map(openWorkspaceDatabase);
	const [empty, first, mixed] = workspaces;
	if (empty === undefined || first === undefined || mixed === undefined) throw new Error("There are three.");
	await putSettings(empty.database.write, empty.id, { keyring: one });
	await putSettings(first.database.write, first.id, { keyring: one, apiKey: "first" });
	await putSettings(mixed.database.write, mixed.id, { keyring: two, apiKey: "mixed" });
	await putSecret(mixed.database.write, mixed.id, { keyring: one, name: "a", value: "secret a" });
	await putSecret(mixed.database.write, mixed.id, { keyring: two, name: "b", value: "secret b" });
	return { workspaces, empty, first, mixed };
}

async function check(keyring: typeof one, { deleteUndecryptableCredentials = false } = {}) {
	const { workspaces, ...named } = await openThreeWorkspaces();
	const warnings: unknown[] = [];
	const logger = { warn: (...line: unknown[]) => void warnings.push(line) };
	const error = await verifyCiphertexts(workspaces, {
		keyring,
		deleteUndecryptableCredentials,
		logger,
	}).catch((thrown: unknown) => thrown);
	return { ...named, workspaces, warnings, error };
}

it.each([
	["no key", none, { withCiphertexts: 2, undecryptable: 2 }],
	["the first key", one, { withCiphertexts: 2, undecryptable: 1 }],
	["the second key", two, { withCiphertexts: 2, undecryptable: 2 }],
])("counts workspaces, not values, with %s", async (_, keyring, expected) => {
	const { workspaces } = await openThreeWorkspaces();
	expect(await countCiphertexts(workspaces, keyring)).toEqual(expected);
});

describe("a start", () => {
	it("without a key is fine where nothing is encrypted", async () => {
		const workspace = openWorkspaceDatabase("ws_1");
		await putSettings(workspace.database.write, workspace.id, { keyring: none });
		const logger = {
			warn: () => {
				throw new Error("It warns.");
			},
		};
		await verifyCiphertexts([workspace], { keyring: none, deleteUndecryptableCredentials: false, logger });
	});

	it("without a key is refused where something is; the ways on are named", async () => {
		const { error } = await check(none);
		if (!isStemmaError(error)) throw new Error("It starts.");
		expect(error).toMatchObject({ name: "ConfigurationError", code: "encryption_key_missing" });
		expect(error.message).toContain("2 workspaces have encrypted credentials");
		for (const way of ['"encryption.keys"', "STEMMA_ENCRYPTION_KEY", "--delete-undecryptable-credentials"])
			expect(error.hint).toContain(way);
	});

	it("with a key that opens some goes on, with a warning and the count", async () => {
		const { error, warnings, mixed } = await check(one);
		expect(error).toBeUndefined();
		expect(warnings).toEqual([[{ workspaces: 1 }, expect.stringContaining("no encryption key decrypts")]]);
		expect(await decryptAll(mixed.database.read, mixed.id, two)).toMatchObject({ llm_settings: "mixed" });
	});

	it("may give up what no key opens, and keeps the rest", async () => {
		const { error, warnings, first, mixed } = await check(one, { deleteUndecryptableCredentials: true });
		expect(error).toBeUndefined();
		expect(warnings).toEqual([[{ workspaces: 1, credentials: 2 }, expect.stringContaining("were deleted")]]);
		expect(await decryptAll(first.database.read, first.id, one)).toEqual({ llm_settings: "first" });
		expect(await decryptAll(mixed.database.read, mixed.id, one)).toEqual({ a: "secret a" });
		const settings = await mixed.database.read.selectFrom("llm_settings").selectAll().execute();
		expect(settings).toEqual([expect.objectContaining({ base_url: "https://api.example", api_key: null })]);
	});

	it("may give up everything, once; the audit log of each workspace says what", async () => {
		const { workspaces, empty, first, mixed } = await check(none, { deleteUndecryptableCredentials: true });
		expect(await countCiphertexts(workspaces, none)).toEqual({ withCiphertexts: 0, undecryptable: 0 });
		expect(await deleteUndecryptable(workspaces, none)).toEqual({ workspaces: 0, credentials: 0 });
		// Without an encryption key nobody could set them again, or clear them.
		expect(await first.database.read.selectFrom("llm_settings").selectAll().execute()).toEqual([]);
		const readAudit = async ({ database }: typeof first) =>
			(await database.read.selectFrom("audit").selectAll().execute()).map(({ action, actor, details }) => [
				action,
				actor,
				JSON.parse(details),
			]);
		expect(await readAudit(empty)).toEqual([]);
		expect(await readAudit(first)).toEqual([
			["credentials.abandoned", "operator", { llm_settings: true, secrets: [], push_configs: 0 }],
		]);
		expect(await readAudit(mixed)).toEqual([
			["credentials.abandoned", "operator", { llm_settings: true, secrets: ["a", "b"], push_configs: 0 }],
		]);
	});
});
