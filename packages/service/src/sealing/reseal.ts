import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { putAudit } from "../audit/audit";
import { OPERATOR } from "../audit/audit-author";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { Keyring } from "./keyring";
import { listSealed, readSealedAgain, replaceSealed, type SealedValue } from "./sealed-values";

/** What became of the values that a workspace has sealed. */
export interface ResealedWorkspace {
	readonly resealed: number;
	/** The key that seals now had sealed it before. */
	readonly alreadyCurrent: number;
	/** No key opens it; it was left as it is. */
	readonly undecryptable: number;
}

export interface ResealOptions {
	readonly workspaceId: string;
	readonly keyring: Keyring;
	/** Stops between two values. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * Seals everything in a workspace's file with the first key, while others may change it: each value is exchanged by
 * itself, and only if it still is what was opened. Stopped at any moment, it goes on where it was.
 */
export async function resealWorkspace(
	queries: Kysely<WorkspaceTables>,
	{ workspaceId, keyring, signal }: ResealOptions,
): Promise<ResealedWorkspace> {
	const outcome = { resealed: 0, alreadyCurrent: 0, undecryptable: 0 };
	try {
		for (const value of await listSealed(queries, workspaceId)) {
			// The file blocks this thread: without it, nobody could stop this.
			await nextTurn();
			signal?.throwIfAborted();
			const result = await resealValue(queries, value, keyring);
			if (result !== "deleted") outcome[result] += 1;
		}
	} finally {
		if (outcome.resealed > 0) await writeAudit(queries, keyring, outcome.resealed);
	}
	return outcome;
}

async function resealValue(
	queries: Kysely<WorkspaceTables>,
	found: SealedValue,
	keyring: Keyring,
): Promise<keyof ResealedWorkspace | "deleted"> {
	let value: SealedValue | undefined = found;
	while (value !== undefined) {
		const plain = keyring.open(value.envelope, value.binding);
		if (plain === undefined) return "undecryptable";
		if (keyring.isCurrent(value.envelope)) return "alreadyCurrent";
		if (await replaceSealed(queries, value, keyring.seal(plain, value.binding))) return "resealed";
		value = await readSealedAgain(queries, value);
	}
	return "deleted";
}

const writeAudit = (
	queries: Kysely<WorkspaceTables>,
	{ ids: [key = ""] }: Keyring,
	count: number,
): Promise<void> =>
	putAudit(queries, {
		action: "credentials.resealed",
		actor: OPERATOR,
		target: "credentials",
		details: { count, key },
	});
