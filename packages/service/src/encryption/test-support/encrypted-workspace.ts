import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { listCiphertexts } from "../../store/repositories/ciphertext-repository";
import { createWorkspaceStore } from "../../store/repositories/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../../store/workspace-tables";
import type { EncryptionKey } from "../encryption-keys";
import type { Keyring } from "../keyring";
import { Secret } from "../secret";

type WorkspaceQueries = Kysely<WorkspaceTables>;

export const createEncryptionKey = (id: string): EncryptionKey => ({
	id,
	key: new Secret(randomBytes(32).toString("base64")),
});

/** The file of a workspace, in memory. */
export function openWorkspaceDatabase(id: string) {
	const database = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	return { id, database, store: createWorkspaceStore(database) };
}

const TIMESTAMPS = { created_at: 1, updated_at: 1, updated_by: "cl_1" };

/** Stores model settings; without a key where none is given. */
export async function putSettings(
	queries: WorkspaceQueries,
	workspaceId: string,
	{
		keyring,
		apiKey,
		baseUrl = "https://api.example",
	}: { keyring: Keyring; apiKey?: string; baseUrl?: string },
): Promise<void> {
	const binding = { workspaceId, purpose: "llm_settings:openai-compatible", address: baseUrl };
	const row = {
		...TIMESTAMPS,
		id: 1,
		provider: "openai-compatible",
		base_url: baseUrl,
		model: "m",
		api_key: apiKey === undefined ? null : keyring.encrypt(new Secret(apiKey), binding),
	};
	await queries
		.insertInto("llm_settings")
		.values(row)
		.onConflict((conflict) => conflict.column("id").doUpdateSet(row))
		.execute();
}

export async function putSecret(
	queries: WorkspaceQueries,
	workspaceId: string,
	{ keyring, name, value }: { keyring: Keyring; name: string; value: string },
): Promise<void> {
	const server_url = `https://${name}.example/mcp`;
	const binding = { workspaceId, purpose: `secret:${name}`, address: server_url };
	const row = { ...TIMESTAMPS, name, server_url, value: keyring.encrypt(new Secret(value), binding) };
	await queries
		.insertInto("workspace_secrets")
		.values(row)
		.onConflict((conflict) => conflict.column("name").doUpdateSet(row))
		.execute();
}

/** Decrypted values of a workspace, by the name of the secret; `llm_settings` is the key of the settings. */
export async function decryptAll(
	queries: WorkspaceQueries,
	workspaceId: string,
	keyring: Keyring,
): Promise<Record<string, string | undefined>> {
	const values = await listCiphertexts(queries, workspaceId);
	return Object.fromEntries(
		values.map(({ envelope, binding, location }) => [
			location.kind === "secret" ? location.name : location.kind,
			keyring.decrypt(envelope, binding)?.reveal(),
		]),
	);
}
