import { DomainError } from "../errors/domain-error";
import type { ServiceKernel } from "../kernel";
import { resumeDecided } from "./approvals/approval-sweep";
import { resumeInterruptedRun } from "./resuming/resume-run";

/** Interval in milliseconds at which an instance looks for work that others have left. */
const RECOVERY_MS = 5_000;
/** Number of looks after which others are told which of their runs are watched here. */
const LOOKS_PER_WATCHED = 6;

/** Work that instances share, looked at from time to time. */
export interface SharedWork {
	stop(): Promise<void>;
}

/** Resumes the runs that a crash has cut off; those for which there is no room are left to the next look. */
async function resumeAllInterrupted(kernel: ServiceKernel, onError: (error: unknown) => void): Promise<void> {
	for (const workspace of kernel.workspaces.list())
		for (const runId of workspace.runs.listInterrupted())
			await resumeInterruptedRun({ kernel, workspace }, runId).catch((error: unknown) => {
				if (!(error instanceof DomainError)) onError(error);
			});
}

/**
 * Resumes or ends what instances have left whose lease is over, at once what this one has found when it started, and keeps runs going that are watched here. Where the database could
 * not be reached, it waits for one more interval: by then all others have renewed their leases, too.
 */
export function startSharedWork(kernel: ServiceKernel, onError: (error: unknown) => void): SharedWork {
	let looks = 0;
	let wasReachable = false;
	async function look(): Promise<void> {
		const { workspaces } = kernel;
		looks += 1;
		const interrupted = await workspaces.listInterrupted();
		if (wasReachable) await workspaces.recover(interrupted);
		wasReachable = true;
		await resumeAllInterrupted(kernel, onError);
		for (const workspace of workspaces.list()) {
			for (const runId of workspace.runs.takeUndelivered())
				await resumeDecided({ kernel, workspace }, runId, onError);
			if (looks % LOOKS_PER_WATCHED === 0) await workspace.runs.notifyWatched();
		}
	}
	let looking = resumeAllInterrupted(kernel, onError).catch(onError);
	const timer = setInterval(() => {
		looking = looking.then(look).catch((error: unknown) => {
			wasReachable = false;
			onError(error);
		});
	}, RECOVERY_MS).unref();
	return {
		async stop() {
			clearInterval(timer);
			await looking;
		},
	};
}
