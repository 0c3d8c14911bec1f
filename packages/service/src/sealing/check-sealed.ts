import { ConfigurationError } from "@stemma/core/errors";
import type { Logger } from "pino";
import { putAudit } from "../audit/audit";
import { OPERATOR } from "../audit/audit-author";
import type { Workspace } from "../workspaces/workspace";
import type { Keyring } from "./keyring";
import { listSealed, removeSealed, type SealedValue } from "./sealed-values";

type SealingWorkspace = Pick<Workspace, "id" | "database">;

/** How many workspaces have something sealed. */
export interface SealedCount {
	readonly sealed: number;
	/** … and of these, how many have something that no key opens. */
	readonly undecryptable: number;
}

export async function countSealed(
	workspaces: readonly SealingWorkspace[],
	keyring: Keyring,
): Promise<SealedCount> {
	const count = { sealed: 0, undecryptable: 0 };
	for (const { id, database } of workspaces) {
		const values = await listSealed(database.read, id);
		if (values.length > 0) count.sealed += 1;
		if (values.some((value) => isUndecryptable(value, keyring))) count.undecryptable += 1;
	}
	return count;
}

const isUndecryptable = ({ envelope, binding }: SealedValue, keyring: Keyring): boolean =>
	keyring.open(envelope, binding) === undefined;

/** What was deleted. */
export interface AbandonedCredentials {
	readonly workspaces: number;
	readonly credentials: number;
}

/** Deletes what no key opens, and says so in the audit log of each workspace. Without a key that is everything. */
export async function abandonSealed(
	workspaces: readonly SealingWorkspace[],
	keyring: Keyring,
): Promise<AbandonedCredentials> {
	const counts: number[] = [];
	for (const workspace of workspaces) counts.push(await abandonIn(workspace, keyring));
	return {
		workspaces: counts.filter((count) => count > 0).length,
		credentials: counts.reduce((sum, count) => sum + count, 0),
	};
}

/** All of a workspace, or nothing. */
const abandonIn = ({ id, database }: SealingWorkspace, keyring: Keyring): Promise<number> =>
	database.write.transaction().execute(async (transaction) => {
		const all = await listSealed(transaction, id);
		const lost = all.filter((value) => isUndecryptable(value, keyring));
		if (lost.length === 0) return 0;
		for (const value of lost) await removeSealed(transaction, value, !keyring.isEmpty);
		await putAudit(transaction, {
			action: "credentials.abandoned",
			actor: OPERATOR,
			target: "credentials",
			details: {
				llm_settings: lost.some(({ place }) => place.kind === "llm_settings"),
				secrets: lost.flatMap(({ place }) => (place.kind === "secret" ? [place.name] : [])),
				push_configs: lost.filter(({ place }) => place.kind === "push_config").length,
			},
		});
		return lost.length;
	});

export interface CheckSealedOptions {
	readonly keyring: Keyring;
	/** What no key opens is deleted. */
	readonly abandon: boolean;
	readonly logger: Pick<Logger, "warn">;
}

/**
 * To be done at the start: sees to it that what is sealed can be opened.
 *
 * @throws ConfigurationError `encryption_key_missing` where there are sealed credentials and no key at all.
 */
export async function checkSealed(
	workspaces: readonly SealingWorkspace[],
	{ keyring, abandon, logger }: CheckSealedOptions,
): Promise<void> {
	if (abandon) {
		const abandoned = await abandonSealed(workspaces, keyring);
		if (abandoned.credentials > 0)
			logger.warn({ ...abandoned }, "sealed credentials that no encryption key opens were deleted");
		return;
	}
	const { sealed, undecryptable } = await countSealed(workspaces, keyring);
	if (keyring.isEmpty && sealed > 0) throw keyMissing(sealed);
	if (undecryptable > 0)
		logger.warn(
			{ workspaces: undecryptable },
			"no encryption key opens some of the sealed credentials of these workspaces: calls that need them fail; give back the key in encryption.keys or STEMMA_ENCRYPTION_KEY, or set the credentials again",
		);
}

const keyMissing = (workspaces: number): ConfigurationError =>
	new ConfigurationError(
		`There are sealed credentials of ${workspaces} ${workspaces === 1 ? "workspace" : "workspaces"}, and no encryption key that could open them.`,
		{
			code: "encryption_key_missing",
			hint: 'Give back the key, in "encryption.keys" or STEMMA_ENCRYPTION_KEY. If it is lost, start once with --abandon-sealed-credentials: it deletes these credentials and the model settings that they belong to; the workspaces use the model of the deployment until they set theirs again.',
		},
	);
