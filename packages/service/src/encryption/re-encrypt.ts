import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { OPERATOR } from "../audit/audit-author";
import { recordAudit } from "../store/sqlite/audit-repository";
import type { WorkspaceTables } from "../store/workspace-tables";
import { type Ciphertext, listCiphertexts, replaceCiphertext, rereadCiphertext } from "./ciphertexts";
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
	queries: Kysely<WorkspaceTables>,
	{ workspaceId, keyring, signal }: ReencryptOptions,
): Promise<ReencryptedWorkspace> {
	const outcome = { reencrypted: 0, alreadyCurrent: 0, undecryptable: 0 };
	try {
		for (const value of await listCiphertexts(queries, workspaceId)) {
			// The file blocks this thread: without it, nobody could stop this.
			await nextTurn();
			signal?.throwIfAborted();
			const result = await reencryptValue(queries, value, keyring);
			if (result !== "deleted") outcome[result] += 1;
		}
	} finally {
		if (outcome.reencrypted > 0) await writeAudit(queries, keyring, outcome.reencrypted);
	}
	return outcome;
}

async function reencryptValue(
	queries: Kysely<WorkspaceTables>,
	found: Ciphertext,
	keyring: Keyring,
): Promise<keyof ReencryptedWorkspace | "deleted"> {
	let value: Ciphertext | undefined = found;
	while (value !== undefined) {
		const plain = keyring.decrypt(value.envelope, value.binding);
		if (plain === undefined) return "undecryptable";
		if (keyring.isCurrent(value.envelope)) return "alreadyCurrent";
		if (await replaceCiphertext(queries, value, keyring.encrypt(plain, value.binding))) return "reencrypted";
		value = await rereadCiphertext(queries, value);
	}
	return "deleted";
}

const writeAudit = (
	queries: Kysely<WorkspaceTables>,
	{ ids: [key = ""] }: Keyring,
	count: number,
): Promise<void> =>
	recordAudit(queries, {
		action: "credentials.resealed",
		actor: OPERATOR,
		target: "credentials",
		details: { count, key },
	});
