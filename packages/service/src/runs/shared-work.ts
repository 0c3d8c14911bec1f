import type { ServiceKernel } from "../kernel";
import { resumeDecided } from "./approvals/approval-sweep";

/** Interval in milliseconds at which an instance looks for work that others have left. */
const RECOVERY_MS = 5_000;
/** Number of looks after which others are told which of their runs are watched here. */
const LOOKS_PER_WATCHED = 6;

/** Work that instances share, looked at from time to time. */
export interface SharedWork {
	stop(): Promise<void>;
}

/**
 * Ends what instances have left whose lease is over, and keeps runs going that are watched here. Where the database could
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
		for (const workspace of workspaces.list()) {
			for (const runId of workspace.runs.takeUndelivered())
				await resumeDecided({ kernel, workspace }, runId, onError);
			if (looks % LOOKS_PER_WATCHED === 0) await workspace.runs.notifyWatched();
		}
	}
	let looking = Promise.resolve();
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
