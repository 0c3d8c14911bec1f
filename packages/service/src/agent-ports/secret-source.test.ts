import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKeyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { createRedactor } from "../redaction/redactor";
import type { Database } from "../store/database";
import { createSecretRepository } from "../store/repositories/secret-repository";
import { auditTablesSql } from "../store/sqlite/audit-tables";
import { workspaceSecretTablesSql } from "../store/sqlite/workspace-secret-tables";
import type { WorkspaceTables } from "../store/workspace-tables";
import { createWorkspaceSecrets } from "../workspace-secrets/workspace-secrets";
import { createSecretSource } from "./secret-source";

const ADDRESS = "https://mcp.example/orders";
const VALUE = "a-value-that-nobody-is-told";
const toKeyring = (...bytes: readonly number[]) =>
	createKeyring(bytes.map((byte) => ({ id: `k${byte}`, key: new Secret(String(byte).repeat(64)) })));

let database: Database<WorkspaceTables>;
beforeEach(() => {
	database = openMemoryDatabase<WorkspaceTables>([auditTablesSql, workspaceSecretTablesSql]);
});
afterEach(() => database.close());

const secretsWith = (keyring: ReturnType<typeof toKeyring>) =>
	createWorkspaceSecrets({
		repository: createSecretRepository(database),
		workspaceId: "ws_1",
		keyring,
		redactor: createRedactor(),
		checkServer: async () => undefined,
	});

/** What a run with these keys is given, of a secret that was stored with the first. */
async function ask(keyring: ReturnType<typeof toKeyring>, name: string, address: string): Promise<string> {
	const update = { server_url: ADDRESS, value: VALUE };
	await secretsWith(toKeyring(1)).set("billing", update, { actor: "cl_1" });
	return createSecretSource(secretsWith(keyring), keyring)(name, address);
}

describe("a secret of the workspace", () => {
	it.each([ADDRESS, `${ADDRESS}/`])("goes to its server: %s", async (address) =>
		expect(await ask(toKeyring(1), "billing", address)).toBe(VALUE),
	);

	it.each([
		[
			"is stored for another address",
			toKeyring(1),
			"billing",
			`${ADDRESS}s?key=hidden`,
			"secret_missing",
			`The workspace has the secret "billing" for "${ADDRESS}", and not for "${ADDRESS}s".`,
			/^Write the address of the node as the secret has it, or store .* for exactly this address/,
		],
		[
			"is not stored",
			toKeyring(1),
			"orders",
			ADDRESS,
			"secret_missing",
			`The workspace has no secret "orders" for "${ADDRESS}".`,
			/^Store it for exactly this address/,
		],
		[
			"was sealed with a key that is gone",
			toKeyring(2),
			"billing",
			ADDRESS,
			"secret_missing",
			'The secret "billing" was encrypted with a key that the service does not have.',
			/^Store its value again/,
		],
		[
			"cannot be kept without an encryption key",
			toKeyring(),
			"billing",
			ADDRESS,
			"encryption_not_configured",
			'The secret "billing" does not exist: this service cannot store secrets.',
			/`encryption\.keys`, or STEMMA_ENCRYPTION_KEY\. Then store the secret: .*`stemma secrets set`/,
		],
	])("that %s is missed in these words", async (_, keyring, name, address, code, message, hint) => {
		const error = await ask(keyring, name, address).catch((caught: unknown) => caught);
		expect(error).toMatchObject({ name: "ConfigurationError", code, message });
		expect(error).toMatchObject({ hint: expect.stringMatching(hint) });
		expect(JSON.stringify(error)).not.toMatch(new RegExp(`${VALUE}|hidden`));
	});
});
