import type { ReceiptRow } from "@stemma/core";
import type { RunStore, SavedState } from "@stemma/runs";
import type { PageRequest } from "../../pagination";
import type { IdempotencyRecord } from "../../store/idempotency-repository";
import type { NewTurn } from "../../threads/new-turn";
import type { RunsElsewhere } from "../runs-elsewhere";
import type { RunInputs, StoredRun } from "../stored-run";

/** Run to be stored, with what it is started with. */
export interface NewRun extends StoredRun, RunInputs {
	/** Message of a thread that the run answers, appended with the run. Default none. */
	readonly turn?: NewTurn | undefined;
	/** State from which it is started again after a crash. Left out for a run that another one or a thread needs. */
	readonly start?: SavedState;
}

/** Outcome of a request to store a run. */
export type RunClaim =
	| { readonly kind: "new" }
	/** Run that the same request has started before. */
	| { readonly kind: "existing"; readonly runId: string };

/** Outcome of a request to store a run, with the record of the request that has started an existing one. */
export type RunInsertion =
	| Extract<RunClaim, { readonly kind: "new" }>
	| (Extract<RunClaim, { readonly kind: "existing" }> & { readonly request: IdempotencyRecord });

/**
 * Function that keeps room for a run. A repository calls it where nobody else can write, before it adds or claims the run;
 * what it throws changes nothing.
 *
 * @param elsewhere - default: there are none.
 */
export type AdmitRun = (elsewhere?: RunsElsewhere) => void;

/** Filter and page for a list of runs. */
export interface RunListOptions extends PageRequest {
	/** Id or slug. */
	readonly agent?: string | undefined;
	readonly status?: StoredRun["status"] | undefined;
	/** Earliest start, in epoch milliseconds. */
	readonly since?: number | undefined;
	/** End of the period, in epoch milliseconds: runs that started earlier. */
	readonly until?: number | undefined;
	/** Id of the caller that started them. */
	readonly startedBy?: string | undefined;
	/** Ids of agents whose runs are left out. Default none. */
	readonly withoutAgents?: readonly string[];
	/** Id of a person who may not see what was limited to others when it was made. Default: all are listed. */
	readonly visibleTo?: string | undefined;
}

/** Runs of one workspace, with their inputs, events and receipts. */
export interface RunRepository extends RunStore {
	/**
	 * Adds a run, and the record of its request with it, unless the same request has started a run before: then nothing is
	 * stored.
	 *
	 * @param request - its reference is the id of the run. Default: the request cannot be sent again.
	 */
	insert(run: NewRun, admit: AdmitRun, request?: IdempotencyRecord): Promise<RunInsertion>;
	/** Claims a paused run, as any store of runs. @param admit - default: the run is claimed to end it, which needs no room. */
	claimPaused(runId: string, lastSeq: number, admit?: AdmitRun): Promise<boolean>;
	/** Counts the runs in progress on other instances; `undefined` for a store of one process. */
	countElsewhere(): Promise<RunsElsewhere | undefined>;
	find(id: string): Promise<StoredRun | undefined>;
	/** Lists runs, newest first; one more than `limit`, where there are more. */
	list(options: RunListOptions): Promise<readonly StoredRun[]>;
	/** Checks whether a run is none that was limited to others than this person when it was made. */
	isVisible(id: string, userId: string): Promise<boolean>;
	/** Lists the ids of the runs with a status. */
	listIds(status: StoredRun["status"]): Promise<readonly string[]>;
	/** Claims the runs in progress that no living process has, to end them; lists their ids. */
	claimInterrupted(): Promise<readonly string[]>;
	/** Returns whether no other process has claimed a run that was in progress in this one. */
	isOwn(id: string): Promise<boolean>;
	/** Asks the process in which a run is in progress to cancel it. Returns false where that is no other process. */
	requestCancel(id: string): Promise<boolean>;
	/** Finds the input and context of a run; runs of earlier versions have none. */
	findInputs(id: string): Promise<RunInputs | undefined>;
	/** Lists the receipts of a run, in their order. */
	listReceipts(id: string): Promise<readonly ReceiptRow[]>;
}
