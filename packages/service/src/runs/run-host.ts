import type { RunResult } from "@stemma/core";
import { type LifecycleHost, type RunLog, toDecision } from "@stemma/runs";
import type { ServiceMetrics } from "../telemetry/service-metrics";
import { toRunError } from "./events/run-error";
import type { ApprovalRepository } from "./repositories/approval-repository";
import type { RunRepository } from "./repositories/run-repository";
import type { RunSlots } from "./run-slots";
import { readResult, type StoredRun } from "./stored-run";
import { toLoggedEnd } from "./workspace-run";

/** Places in which the runs of a workspace are kept, and where their failures are reported. */
export interface RunHostOptions {
	readonly repository: RunRepository;
	readonly approvals: Pick<ApprovalRepository, "listDecided">;
	readonly slots: RunSlots;
	readonly log: Pick<RunLog, "append" | "flushed">;
	/** Counts an end that no event of the engine tells of. */
	readonly countRunEnd: ServiceMetrics["countRunEnd"];
	readonly onFailure: (error: unknown) => void;
	/** Asks another instance to cancel a run, and waits for its end. Left out for a store of one process. */
	readonly cancelElsewhere?: ((runId: string) => Promise<void>) | undefined;
}

/** Workspace as the place where runs live: its store, its slots and its log. */
export const createRunHost = ({
	repository,
	approvals,
	slots,
	log,
	countRunEnd,
	onFailure,
	cancelElsewhere,
}: RunHostOptions): LifecycleHost<StoredRun> => ({
	...(cancelElsewhere !== undefined && { cancelElsewhere }),
	async findPaused(runId) {
		const run = await repository.find(runId);
		return run?.status === "paused" ? run : undefined;
	},
	async listDecisions(run) {
		const { approvals: awaited = [] } = await getPausedResult(repository, run);
		const ids = awaited.map(({ id }) => id);
		const decided = await approvals.listDecided(run.id);
		return decided.filter(({ id }) => ids.includes(id)).map(toDecision);
	},
	acquire: slots.acquireResumed,
	release: slots.release,
	async endPaused(run, end) {
		log.append(toLoggedEnd(run, end, await getPausedResult(repository, run)));
		countRunEnd(end.status);
		await log.flushed();
	},
	toRunError(error) {
		const runError = toRunError(error);
		if (runError.code === "internal_error") onFailure(error);
		return runError;
	},
});

/** Reads the result with which a run has paused. */
export async function getPausedResult(
	repository: Pick<RunRepository, "readEvents">,
	run: StoredRun,
): Promise<RunResult> {
	const result = await readResult(repository, run);
	if (result === undefined) throw new Error("A run that waits has no result.");
	return result;
}
