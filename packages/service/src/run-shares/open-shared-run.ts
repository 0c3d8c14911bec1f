import type { SharedRun, SharedRunStep } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { type EventRecord, parseEvent } from "@stemma/runs";
import type { Caller } from "../auth/caller";
import { hashSecret } from "../auth/secrets";
import type { ServiceKernel } from "../kernel";
import { readResult, type StoredRun } from "../runs/stored-run";
import { findVisibleRun } from "../runs/visible-run";
import type { DeploymentStore } from "../store/deployment-store";
import type { Workspace } from "../workspaces/workspace";
import { addSharedStep, STEP_EVENTS } from "./reduce-shared-steps";
import type { StoredRunShare } from "./run-share-repository";
import { isShareToken } from "./run-shares";
import { shareNotFound } from "./share-errors";
import { listVisibleFields } from "./share-fields";
import { MAX_SHARED_STEPS } from "./share-limits";
import { toSharedRun } from "./to-shared-run";

/** Parts of the deployment's store that tell who has shared what. */
export type ShareStore = Pick<DeploymentStore, "clients" | "runShares">;

/** Parts of the kernel by which a link is opened. */
export type ShareKernel = Pick<ServiceKernel, "logger" | "people" | "turns" | "workspaces">;

/** Events that are read together. */
const EVENT_BATCH = 500;

/**
 * Reads what a link shows of its run. It shows no more than who made it may see by now: whoever lost the access to an agent
 * shares its runs no more.
 *
 * @throws DomainError `share_not_found`
 */
export async function openSharedRun(
	kernel: ShareKernel,
	store: ShareStore,
	token: string,
	signal: AbortSignal,
): Promise<SharedRun> {
	const share = isShareToken(token) ? await store.runShares.findByToken(hashSecret(token)) : undefined;
	if (share === undefined || share.expires_at <= clock.now()) throw shareNotFound();
	const workspace = await kernel.workspaces.obtain(share.workspace_id);
	const caller = await findSharer(kernel, store, share);
	if (workspace === undefined || caller === undefined) throw shareNotFound();
	const leave = workspace.inFlight.enter();
	try {
		await kernel.turns.start(workspace.id, signal);
		const run = await findVisibleRun({ caller, workspace }, share.run_id);
		if (run === undefined) throw shareNotFound();
		const shared = await readSharedRun(workspace, caller, run, share);
		await store.runShares
			.countView(share.id)
			.catch((error: unknown) =>
				kernel.logger.warn({ err: error }, "a view of a shared run was not counted"),
			);
		return shared;
	} finally {
		leave();
	}
}

/** Finds who made a link, as they are now; `undefined` for one who was removed. */
async function findSharer(
	{ people }: ShareKernel,
	{ clients }: ShareStore,
	{ workspace_id: workspaceId, created_by: id }: StoredRunShare,
): Promise<Caller | undefined> {
	const user = await people.sessions.findMember(workspaceId, id);
	if (user !== undefined) return { ...user, sessionId: "" };
	const client = await clients.find(workspaceId, id);
	return client && { kind: "client", id, workspaceId, scopes: client.scopes };
}

async function readSharedRun(
	{ store }: Workspace,
	caller: Caller,
	run: StoredRun,
	{ fields: chosen, expires_at: expiresAt }: StoredRunShare,
): Promise<SharedRun> {
	const fields = listVisibleFields(caller, run, chosen);
	const inputs = fields.includes("input") ? await store.runs.findInputs(run.id) : undefined;
	return toSharedRun({
		...{ run, fields, expiresAt, input: inputs?.input },
		result: await readResult(store.runs, run),
		steps: fields.includes("steps") ? await readSteps(store.runs, run, fields.includes("tools")) : [],
	});
}

/** Reads the steps of a run: one more than are shown, where there are more. */
async function readSteps(
	store: Pick<Workspace["store"]["runs"], "readEvents">,
	{ id, last_seq }: StoredRun,
	showsTools: boolean,
): Promise<readonly SharedRunStep[]> {
	const steps = new Map<number, SharedRunStep>();
	for (let after = 0; after < last_seq && steps.size <= MAX_SHARED_STEPS; ) {
		const records: readonly EventRecord[] = await store.readEvents(id, after, EVENT_BATCH);
		for (const record of records)
			if (STEP_EVENTS.has(record.type)) addSharedStep(steps, parseEvent(record), showsTools);
		after = records.at(-1)?.seq ?? last_seq;
	}
	return [...steps.values()];
}
