import type { RunResult } from "@stemma/core";
import type { LifecycleHost, PausedRun, RunLog } from "@stemma/runs";
import { StorageError } from "../store/storage-error";
import type { ServiceMetrics } from "../telemetry/service-metrics";
import { listAwaitedDecisions } from "./approvals/awaited-decisions";
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

/** Run of a workspace that waits for decisions, with the result of its pause. */
export interface PausedStoredRun extends PausedRun {
	readonly run: StoredRun;
	readonly result: RunResult;
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
}: RunHostOptions): LifecycleHost<PausedStoredRun> => ({
	...(cancelElsewhere !== undefined && { cancelElsewhere }),
	async findPaused(runId) {
		const run = await repository.find(runId);
		const result = run?.status === "paused" ? await readResult(repository, run) : undefined;
		return run && result && { run, result, lastSeq: run.last_seq };
	},
	listDecisions: ({ run, result }) => listAwaitedDecisions(approvals, run.id, result),
	acquire: async ({ run }) => slots.acquireResumed(run, await repository.countElsewhere()),
	claim: ({ run, lastSeq }) =>
		repository.claimPaused(run.id, lastSeq, (elsewhere) => slots.acquireResumed(run, elsewhere)),
	release: slots.release,
	async endPaused({ run, result }, end) {
		log.append(toLoggedEnd(run, end, result));
		countRunEnd(end.status);
		await log.flushed();
	},
	isTemporary: (error) => error instanceof StorageError && error.code === "storage_unavailable",
	toRunError(error) {
		const runError = toRunError(error);
		if (runError.code === "internal_error") onFailure(error);
		return runError;
	},
});
