import { setImmediate as nextTurn } from "node:timers/promises";
import { ConfigurationError } from "@stemma/core/errors";
import type { Configuration } from "../configuration/configuration";
import { openSharedPostgres } from "../store/postgres/open-shared-stores";
import type { SharedStores } from "../store/shared-stores";
import { openSharedFiles } from "../store/sqlite/open-shared-stores";
import { StorageError } from "../store/storage-error";
import { createKeyring, type KeyFingerprint, type Keyring } from "./keyring";
import { type ReencryptedWorkspace, reencryptWorkspace } from "./re-encrypt";

/** Counts of what happened to the encrypted values of a deployment. */
export interface KeyRotation {
	readonly reencrypted: number;
	/** The first key had encrypted it before. */
	readonly alreadyCurrent: number;
	/** Workspaces with values that no key opens, and how many. These values are as they were. */
	readonly undecryptable: readonly { readonly workspaceId: string; readonly values: number }[];
	/** Workspaces whose file cannot be used, and why. What is encrypted in them is as it was. */
	readonly failed: readonly { readonly workspaceId: string; readonly error: StorageError }[];
}

export interface RotateKeysOptions {
	/** Called after each workspace. */
	readonly onProgress?: ((done: number, total: number, workspaceId: string) => void) | undefined;
	/** Stops between two values; what is done is done, and the next time goes on from there. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * Encrypts everything in a data folder or database with the first key of the configuration, also while a service serves it.
 * A workspace that cannot be used is named in the result, and keeps no other one from being encrypted anew.
 *
 * @throws ConfigurationError where there is no key, where it is no data folder, and `service_lacks_key` where a service
 * serves it that does not encrypt with that key: it could not open what this would encrypt.
 * @throws StorageError where the deployment cannot be used; `signal.reason` when it was stopped.
 */
export async function rotateKeys(
	{ data, database, encryption }: Pick<Configuration, "data" | "database" | "encryption">,
	{ onProgress, signal }: RotateKeysOptions = {},
): Promise<KeyRotation> {
	const keyring = createKeyring(encryption.keys);
	if (keyring.isEmpty) throw noEncryptionKeyError();
	const stores = await (database === undefined ? openSharedFiles(data) : openSharedPostgres(database));
	try {
		const { deployment } = stores;
		for (const keys of await stores.listServiceKeys()) assertServiceHasKey(keys, keyring);
		const ids = (await deployment.workspaces.listAll()).map(({ id }) => id);
		const workspaces: [id: string, workspace: ReencryptedWorkspace | StorageError][] = [];
		for (const id of ids) {
			workspaces.push([id, await tryReencrypt(stores, id, keyring, signal)]);
			onProgress?.(workspaces.length, ids.length, id);
		}
		return summarize(workspaces);
	} finally {
		await stores.close();
	}
}

const noEncryptionKeyError = (): ConfigurationError =>
	new ConfigurationError("There is no encryption key to encrypt with.", {
		code: "encryption_key_missing",
		hint: 'Set "encryption.keys" or STEMMA_ENCRYPTION_KEY: the new key first, then those that decrypt the stored credentials. `stemma keys generate` makes one.',
	});

/** @throws ConfigurationError `service_lacks_key` where the service that runs encrypts with another key. */
function assertServiceHasKey(
	[activeKey, ...others]: readonly KeyFingerprint[],
	{ fingerprints: [first] }: Keyring,
): void {
	if (activeKey?.keyCheck === first?.keyCheck) return;
	const isRegistered = others.some(({ keyCheck }) => keyCheck === first?.keyCheck);
	throw new ConfigurationError(
		`The service that runs here ${isRegistered ? "holds the key" : "does not have the key"} "${first?.id}"${isRegistered ? ", and encrypts with another one" : ""}.`,
		{
			code: "service_lacks_key",
			hint: "Restart the service with the new configuration first: the new key as the first one, the old keys behind it. Then run this again.",
		},
	);
}

/** The error where the workspace cannot be used: it keeps no other one from being encrypted. */
async function tryReencrypt(
	...reencryptArguments: Parameters<typeof reencrypt>
): Promise<ReencryptedWorkspace | StorageError> {
	try {
		return await reencrypt(...reencryptArguments);
	} catch (error) {
		if (error instanceof StorageError) return error;
		throw error;
	}
}

async function reencrypt(
	stores: SharedStores,
	workspaceId: string,
	keyring: Keyring,
	signal: AbortSignal | undefined,
): Promise<ReencryptedWorkspace> {
	// Files block this thread: without it, nobody could stop this.
	await nextTurn();
	signal?.throwIfAborted();
	const store = stores.openWorkspace(workspaceId);
	try {
		return await reencryptWorkspace(store, { workspaceId, keyring, signal });
	} finally {
		await store.close();
	}
}

function summarize(
	all: readonly (readonly [id: string, workspace: ReencryptedWorkspace | StorageError])[],
): KeyRotation {
	const workspaces = all.flatMap(([id, workspace]) =>
		workspace instanceof StorageError ? [] : [[id, workspace] as const],
	);
	const sum = (count: (workspace: ReencryptedWorkspace) => number): number =>
		workspaces.reduce((total, [, workspace]) => total + count(workspace), 0);
	return {
		reencrypted: sum(({ reencrypted }) => reencrypted),
		alreadyCurrent: sum(({ alreadyCurrent }) => alreadyCurrent),
		undecryptable: workspaces
			.filter(([, { undecryptable }]) => undecryptable > 0)
			.map(([workspaceId, { undecryptable }]) => ({ workspaceId, values: undecryptable })),
		failed: all.flatMap(([workspaceId, error]) =>
			error instanceof StorageError ? [{ workspaceId, error }] : [],
		),
	};
}
