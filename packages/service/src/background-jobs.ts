import { clock } from "@stemma/core/internal";
import type { AccessTokens } from "./auth/tokens/access-tokens";
import type { LimitsConfiguration } from "./configuration/configuration";
import type { ServiceKernel } from "./kernel";
import { sweepApprovals } from "./runs/approvals/approval-sweep";
import { startSharedWork } from "./runs/shared-work";
import type { DiskSpace } from "./storage/disk-space";
import { sweepStorage } from "./storage/sweep-storage";
import { ownPeriodicJobs } from "./store/instances/periodic-jobs";
import type { Stores } from "./workspaces/stores";
import type { WorkspaceRegistry } from "./workspaces/workspace-registry";

/** Jobs that a service does from time to time, beside its requests. */
export interface BackgroundJobs {
	/** Starts nothing more, at once. Resolves when what was under way has ended. */
	stop(): Promise<void>;
}

export interface BackgroundJobsParts {
	readonly kernel: ServiceKernel;
	readonly stores: Stores;
	readonly tokens: AccessTokens;
	readonly registry: WorkspaceRegistry;
	readonly disk: Pick<DiskSpace, "check">;
	readonly retention: LimitsConfiguration["retention"];
	readonly onError: (error: unknown) => void;
}

const EXPIRY_SWEEP_MS = 60 * 60 * 1000;
const APPROVAL_SWEEP_MS = 60 * 1000;
const RETENTION_SWEEP_MS = 10 * 60 * 1000;
const DISK_CHECK_MS = 5 * 1000;

/**
 * Sweeps approvals and what is retained, and looks at the disk: at once, and from then on by timers that keep no process
 * alive. Among several instances, one at a time deletes what is expired or retained no longer; the others do without.
 */
export function startBackgroundJobs({
	kernel,
	stores,
	tokens,
	registry,
	disk,
	retention,
	onError,
}: BackgroundJobsParts): BackgroundJobs {
	const periodicJobs = stores.shared?.periodicJobs ?? ownPeriodicJobs;
	let expirySweep = Promise.resolve();
	const expiryTimer = setInterval(() => {
		const sweep = () => sweepExpired(kernel, tokens, stores).then(() => registry.finishDeletions(onError));
		expirySweep = expirySweep.then(() => periodicJobs.run("expiry", EXPIRY_SWEEP_MS, sweep)).catch(onError);
	}, EXPIRY_SWEEP_MS).unref();

	kernel.syncScheduler.start();

	const sharedWork = startSharedWork(kernel, onError);

	let approvalSweep = Promise.resolve();
	function sweepAllApprovals(): void {
		approvalSweep = approvalSweep
			.then(() => stores.workspaces.retry())
			.then(() => sweepApprovals(kernel, onError))
			.catch(onError);
	}
	sweepAllApprovals();
	const approvalTimer = setInterval(sweepAllApprovals, APPROVAL_SWEEP_MS).unref();

	let diskCheck = Promise.resolve();
	function checkDisk(): void {
		diskCheck = diskCheck.then(disk.check).catch(onError);
	}
	checkDisk();
	const diskTimer = setInterval(checkDisk, DISK_CHECK_MS).unref();

	let retentionSweep = Promise.resolve();
	function sweepRetained(): void {
		const sweep = () => sweepStorage(stores, retention, onError);
		retentionSweep = retentionSweep
			.then(() => periodicJobs.run("retention", RETENTION_SWEEP_MS, sweep))
			.catch(onError);
	}
	sweepRetained();
	const retentionTimer = setInterval(sweepRetained, RETENTION_SWEEP_MS).unref();

	return {
		async stop() {
			clearInterval(diskTimer);
			clearInterval(retentionTimer);
			clearInterval(expiryTimer);
			clearInterval(approvalTimer);
			await approvalSweep;
			await sharedWork.stop();
			await Promise.all([expirySweep, retentionSweep, diskCheck, kernel.syncScheduler.stop()]);
		},
	};
}

/** Forgets what has run out. */
async function sweepExpired(
	{ people }: Pick<ServiceKernel, "people">,
	tokens: AccessTokens,
	{ deployment, workspaces }: Stores,
): Promise<void> {
	await tokens.sweep();
	await people.sessions.sweep();
	await people.authorizations.sweep();
	await deployment.runShares.deleteExpired(clock.now());
	for (const { store } of workspaces.list()) await store.idempotency.deleteExpired(clock.now());
}
