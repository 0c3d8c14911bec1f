import { ConfigurationError } from "@stemma/core/errors";
import type { Logger } from "pino";
import { OPERATOR } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import type { WorkspaceStore } from "../store/workspace-store";
import type { Workspace } from "../workspaces/workspace";
import type { Ciphertext } from "./ciphertext-repository";
import type { Keyring } from "./keyring";

type EncryptedWorkspace = Pick<Workspace, "id"> & { readonly store: Pick<WorkspaceStore, "ciphertexts"> };

/** Counts of workspaces that have encrypted values. */
export interface CiphertextCount {
	readonly withCiphertexts: number;
	/** Number of these workspaces that have a value which no key decrypts. */
	readonly undecryptable: number;
}

export async function countCiphertexts(
	workspaces: readonly EncryptedWorkspace[],
	keyring: Keyring,
): Promise<CiphertextCount> {
	const count = { withCiphertexts: 0, undecryptable: 0 };
	for (const { id, store } of workspaces) {
		const values = await store.ciphertexts.list(id);
		if (values.length > 0) count.withCiphertexts += 1;
		if (values.some((value) => isUndecryptable(value, keyring))) count.undecryptable += 1;
	}
	return count;
}

const isUndecryptable = ({ envelope, binding }: Ciphertext, keyring: Keyring): boolean =>
	keyring.decrypt(envelope, binding) === undefined;

/** Number of deleted credentials, and of the workspaces that had them. */
export interface DeletedCredentials {
	readonly workspaces: number;
	readonly credentials: number;
}

/** Deletes what no key opens, and says so in the audit log of each workspace. Without a key that is everything. */
export async function deleteUndecryptable(
	workspaces: readonly EncryptedWorkspace[],
	keyring: Keyring,
): Promise<DeletedCredentials> {
	const counts: number[] = [];
	for (const workspace of workspaces) counts.push(await deleteUndecryptableIn(workspace, keyring));
	return {
		workspaces: counts.filter((count) => count > 0).length,
		credentials: counts.reduce((sum, count) => sum + count, 0),
	};
}

/** All of a workspace, or nothing. */
async function deleteUndecryptableIn({ id, store }: EncryptedWorkspace, keyring: Keyring): Promise<number> {
	let count = 0;
	await store.ciphertexts.delete(id, (all) => {
		const ciphertexts = all.filter((value) => isUndecryptable(value, keyring));
		count = ciphertexts.length;
		return count === 0
			? undefined
			: { ciphertexts, deletesSettings: keyring.isEmpty, audit: toEntry(ciphertexts) };
	});
	return count;
}

const toEntry = (deleted: readonly Ciphertext[]): AuditEntry => ({
	action: "credentials.abandoned",
	actor: OPERATOR,
	target: "credentials",
	details: {
		llm_settings: deleted.some(({ location }) => location.kind === "llm_settings"),
		secrets: deleted.flatMap(({ location }) => (location.kind === "secret" ? [location.name] : [])),
		push_configs: deleted.filter(({ location }) => location.kind === "push_config").length,
	},
});

export interface VerifyCiphertextsOptions {
	readonly keyring: Keyring;
	/** True where values that no key decrypts are deleted. */
	readonly deleteUndecryptableCredentials: boolean;
	readonly logger: Pick<Logger, "warn">;
}

/**
 * Checks at the start that what is encrypted can be decrypted.
 *
 * @throws ConfigurationError `encryption_key_missing` where there are encrypted credentials and no key at all.
 */
export async function verifyCiphertexts(
	workspaces: readonly EncryptedWorkspace[],
	{ keyring, deleteUndecryptableCredentials, logger }: VerifyCiphertextsOptions,
): Promise<void> {
	if (deleteUndecryptableCredentials) {
		const deleted = await deleteUndecryptable(workspaces, keyring);
		if (deleted.credentials > 0)
			logger.warn({ ...deleted }, "encrypted credentials that no encryption key decrypts were deleted");
		return;
	}
	const { withCiphertexts, undecryptable } = await countCiphertexts(workspaces, keyring);
	if (keyring.isEmpty && withCiphertexts > 0) throw encryptionKeyMissingError(withCiphertexts);
	if (undecryptable > 0)
		logger.warn(
			{ workspaces: undecryptable },
			"no encryption key decrypts some of the encrypted credentials of these workspaces: calls that need them fail; restore the key in encryption.keys or STEMMA_ENCRYPTION_KEY, or set the credentials again",
		);
}

const encryptionKeyMissingError = (workspaces: number): ConfigurationError =>
	new ConfigurationError(
		`${workspaces} ${workspaces === 1 ? "workspace has" : "workspaces have"} encrypted credentials, and there is no encryption key to decrypt them.`,
		{
			code: "encryption_key_missing",
			hint: 'Restore the key, in "encryption.keys" or STEMMA_ENCRYPTION_KEY. If it is lost, start once with --delete-undecryptable-credentials: it deletes these credentials and the model settings that they belong to; the workspaces use the model of the deployment until they set theirs again.',
		},
	);
