import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { clock, omitUndefined } from "@stemma/core/internal";
import type { FairQueue } from "@stemma/protocol";
import { createSecretSource } from "../../agent-ports/secret-source";
import type { LimitsConfiguration } from "../../configuration/configuration";
import { createId } from "../../create-id";
import type { Keyring } from "../../encryption/keyring";
import type { OutboundGate } from "../../outbound/outbound-gate";
import type { DiskSpace } from "../../storage/disk-space";
import { assertWithinQuota } from "../../storage/storage-use";
import { onCancel } from "../../store/claims/cancel-work";
import type { Work } from "../../store/claims/work-claims";
import type { Spool } from "../../store/data-folder/spool";
import type { Workspace } from "../../workspaces/workspace";
import type { Scan } from "../connectors/connectors";
import type { ClaimedSync, SyncEnd } from "../repositories/sync-repository";
import { findNextSync } from "./next-sync";
import { runSync, type SyncEnvironment } from "./run-sync";

/** Workspace as its syncs need it. */
export type SyncedWorkspace = Pick<Workspace, "id" | "store" | "knowledge" | "secrets" | "syncs">;

/** Syncs of all workspaces: those that are due by schedule, were asked for, or were interrupted by the end of a process. */
export interface SyncScheduler {
	/** Looks at a workspace at once: a sync was asked for, or a source deleted. */
	wake(workspace: SyncedWorkspace): void;
	/** Looks at all workspaces, now and from time to time. */
	start(): void;
	/** Starts nothing more. Resolves once no workspace is looked at. */
	stop(): Promise<void>;
}

export interface SyncSchedulerOptions {
	listWorkspaces(): readonly SyncedWorkspace[];
	/** Turns of workspaces. */
	readonly queue: FairQueue;
	readonly scan: Scan;
	/** Gate with the limits of documents. */
	readonly gate: Pick<OutboundGate, "fetch">;
	readonly keyring: Pick<Keyring, "isEmpty">;
	readonly spool: Spool;
	readonly disk: Pick<DiskSpace, "assertSpace">;
	readonly limits: Pick<LimitsConfiguration, "uploadBytes" | "storageBytes">;
	/** Counts a sync that has ended. */
	readonly countSync: (status: "succeeded" | "failed") => void;
	readonly onError: (error: unknown) => void;
}

const CHECK_MS = 5_000;

export function createSyncScheduler(options: SyncSchedulerOptions): SyncScheduler {
	const { listWorkspaces, queue, onError } = options;
	let timer: NodeJS.Timeout | undefined;
	let looking = Promise.resolve();
	let isStopped = false;

	async function look(workspace: SyncedWorkspace): Promise<void> {
		if (isStopped) return;
		const { sources, syncs } = workspace.store;
		const now = clock.now();
		for (const source of await sources.listDue(now))
			await syncs.create({ id: createId("sync"), source, isForced: false, now });
		for (const id of await syncs.listActive())
			workspace.syncs.start(id, (signal) =>
				queue
					.run(workspace.id, () => workExclusively(workspace, id, options, signal), { signal })
					.catch((error) => {
						if (!signal.aborted) onError(error);
					}),
			);
		if (await sources.sweep()) await sweepUntilDone(workspace);
	}

	async function sweepUntilDone({ store, knowledge }: SyncedWorkspace): Promise<void> {
		while (!isStopped && (await store.sources.sweep()));
		knowledge.wake();
	}

	function schedule(workspaces: () => readonly SyncedWorkspace[]): void {
		looking = looking.then(async () => {
			for (const workspace of workspaces()) await look(workspace).catch(onError);
		});
	}

	return {
		wake: (workspace) => schedule(() => [workspace]),
		start() {
			schedule(listWorkspaces);
			timer = setInterval(() => schedule(listWorkspaces), CHECK_MS).unref();
		},
		async stop() {
			isStopped = true;
			clearInterval(timer);
			await looking;
		},
	};
}

/** Works on a sync, unless another instance does. Where one does so after its lease was over, both store the same. */
async function workExclusively(
	workspace: SyncedWorkspace,
	id: string,
	options: SyncSchedulerOptions,
	signal: AbortSignal,
): Promise<void> {
	const { claims } = workspace.store;
	const claimed: Work = { kind: "sync", id };
	if (!(await claims.take(claimed))) return;
	const ignoreCancels = onCancel(claims, "sync", (cancelled) => {
		if (cancelled === id) workspace.syncs.cancel(id);
	});
	try {
		await work(workspace, id, options, signal);
	} finally {
		ignoreCancels();
		await claims.release(claimed);
	}
}

/** Runs one sync of a workspace to its end, and stores how it ended. Where it is aborted, its end is stored elsewhere. */
async function work(
	workspace: SyncedWorkspace,
	id: string,
	options: SyncSchedulerOptions,
	signal: AbortSignal,
): Promise<void> {
	const { syncs } = workspace.store;
	const claimed = await syncs.claim(id, clock.now());
	if (claimed === undefined) return;
	try {
		const complete = await runSync(claimed, toEnvironment(workspace, options), signal);
		if (complete === undefined) return;
		await end(workspace, claimed, { error: null, ...complete });
		options.countSync("succeeded");
	} catch (error) {
		if (signal.aborted) return;
		if (!isStemmaError(error)) options.onError(error);
		await end(workspace, claimed, { error: toRunError(error) });
		options.countSync("failed");
	}
}

function toEnvironment(workspace: SyncedWorkspace, options: SyncSchedulerOptions): SyncEnvironment {
	const { scan, gate, keyring, spool, disk, limits } = options;
	const { store, knowledge, secrets } = workspace;
	return {
		...{ syncs: store.syncs, knowledge, scan, gate, now: clock.now },
		maxItemBytes: limits.uploadBytes,
		readSecret: createSecretSource(secrets, keyring),
		createFile: () => spool.create(workspace.id),
		async assertSpace(bytes) {
			disk.assertSpace(bytes);
			await assertWithinQuota(store.storage, bytes, limits.storageBytes);
		},
	};
}

async function end(
	{ store }: Pick<SyncedWorkspace, "store">,
	{ id, everyMinutes, failures }: ClaimedSync,
	{ error, scanState }: Pick<SyncEnd, "error" | "scanState">,
): Promise<void> {
	const now = clock.now();
	const failed = error === null ? 0 : failures + 1;
	const nextSyncAt = findNextSync({ everyMinutes, failures: failed, now, random: Math.random() });
	const status = error === null ? "succeeded" : "failed";
	await store.syncs.end({ sync: id, status, error, ...omitUndefined({ scanState }), nextSyncAt, now });
}

function toRunError(error: unknown): RunError {
	if (!isStemmaError(error))
		return { code: "internal_error", message: "The sync failed within the service.", hint: LOG_HINT };
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}

const LOG_HINT = "The log of the service says why; the next sync tries again.";
