import { setImmediate as nextTurn } from "node:timers/promises";
import { OPERATOR } from "../audit/audit-author";
import type { AuditEntry } from "../audit/audit-record";
import type { WorkspaceStore } from "../store/workspace-store";
import type { Ciphertext, CiphertextRepository } from "./ciphertext-repository";
import type { Keyring } from "./keyring";

/** Counts of what happened to the encrypted values of a workspace. */
export interface ReencryptedWorkspace {
	readonly reencrypted: number;
	/** The key that encrypts now had encrypted it before. */
	readonly alreadyCurrent: number;
	/** No key opens it; it was left as it is. */
	readonly undecryptable: number;
}

export interface ReencryptOptions {
	readonly workspaceId: string;
	readonly keyring: Keyring;
	/** Stops between two values. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * Encrypts everything in a workspace's file with the first key, while others may change it: each value is exchanged by
 * itself, and only if it still is what was opened. Stopped at any moment, it goes on where it was.
 */
export async function reencryptWorkspace(
	{ ciphertexts, audit }: Pick<WorkspaceStore, "ciphertexts" | "audit">,
	{ workspaceId, keyring, signal }: ReencryptOptions,
): Promise<ReencryptedWorkspace> {
	const outcome = { reencrypted: 0, alreadyCurrent: 0, undecryptable: 0 };
	try {
		for (const value of await ciphertexts.list(workspaceId)) {
			// The file blocks this thread: without it, nobody could stop this.
			await nextTurn();
			signal?.throwIfAborted();
			const result = await reencryptValue(ciphertexts, value, keyring);
			if (result !== "deleted") outcome[result] += 1;
		}
	} finally {
		if (outcome.reencrypted > 0) await audit.record(toEntry(keyring, outcome.reencrypted));
	}
	return outcome;
}

async function reencryptValue(
	repository: CiphertextRepository,
	found: Ciphertext,
	keyring: Keyring,
): Promise<keyof ReencryptedWorkspace | "deleted"> {
	let value: Ciphertext | undefined = found;
	while (value !== undefined) {
		const plain = keyring.decrypt(value.envelope, value.binding);
		if (plain === undefined) return "undecryptable";
		if (keyring.isCurrent(value.envelope)) return "alreadyCurrent";
		if (await repository.replace(value, keyring.encrypt(plain, value.binding))) return "reencrypted";
		value = await reread(repository, value);
	}
	return "deleted";
}

/** Reads again what is encrypted in the place of this value now; undefined where it was deleted. */
async function reread(
	repository: CiphertextRepository,
	{ binding, location }: Ciphertext,
): Promise<Ciphertext | undefined> {
	const values = await repository.list(binding.workspaceId);
	return values.find((value) => JSON.stringify(value.location) === JSON.stringify(location));
}

const toEntry = ({ ids: [key = ""] }: Keyring, count: number): AuditEntry => ({
	action: "credentials.resealed",
	actor: OPERATOR,
	target: "credentials",
	details: { count, key },
});
