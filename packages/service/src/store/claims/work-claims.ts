import type { LoggedEvent } from "@stemma/runs";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { RunsElsewhere } from "../../runs/runs-elsewhere";
import type { WorkspaceTables } from "../workspace-tables";

/**
 * Kind of work that one instance does: a run, an answer in a thread, a response in the background, a request with a key, a
 * sync of a source, a move of a knowledge base to other vectors, push notifications to one receiver.
 */
export type WorkKind = "run" | "answer" | "response" | "request" | "sync" | "reindex" | "push";

/** Work of one kind, by its id. */
export interface Work {
	readonly kind: WorkKind;
	readonly id: string;
}

/** Claims the work for this instance, in the transaction that stores it. Returns false where another one has it. */
export type TakeWork = (transaction: Kysely<WorkspaceTables>) => Promise<boolean>;

/** Change of work that another instance has made. */
export type WorkChange =
	/** Events of runs were written, or their claims have changed. */
	| { readonly type: "runs"; readonly runIds: readonly string[] }
	/** The work is to be cancelled, by the instance that has it. */
	| ({ readonly type: "cancel" } & Work)
	/** Approvals of a run were decided. */
	| { readonly type: "decided"; readonly runId: string }
	/** Work has ended, or its instance gave it back. */
	| ({ readonly type: "released" } & Work)
	/** Work of the background may wait: documents to read, a move of a knowledge base. */
	| { readonly type: "queued" }
	/** Runs are watched on another instance. */
	| { readonly type: "watched"; readonly runIds: readonly string[] }
	/** Changes may have been missed. */
	| { readonly type: "missed" };

/** Claims of one workspace: which instance does which work. A claim ends with the lease of its instance. */
export interface WorkClaims {
	/** False for a store of one process: no other claims anything. */
	readonly isShared: boolean;
	/** True while the store may have claims of this instance under which it does nothing: the next recovery deletes them. */
	readonly hasUnconfirmed: boolean;
	/** Claims work. Returns false where another living instance has it. */
	take(work: Work): Promise<boolean>;
	/** Runs a transaction that claims work: this instance has it once that resolves. */
	taking<Result>(work: Work, transaction: (take: TakeWork) => Promise<Result>): Promise<Result>;
	/** Gives back work that has ended. */
	release(work: Work): Promise<void>;
	/** Leaves work whose end could not be stored to the next recovery. */
	abandon(work: Work): void;
	/** Events or states with the fences of their runs. @throws RunsLostError for runs that this instance has not claimed. */
	toFenced<Written extends Pick<LoggedEvent, "runId">>(written: readonly Written[]): readonly Written[];
	/** Forgets the claims of runs that have ended or paused with these events, as they were fenced. */
	forgetEnded(events: readonly LoggedEvent[]): void;
	/** Tells other instances of events of runs that are stored; those that ended or paused runs have been told of. */
	notifyAppended(events: readonly LoggedEvent[]): void;
	/** Forgets the claims of runs that other instances have claimed since. */
	forgetLost(runIds: readonly string[]): void;
	/** Id of this instance; left out for a store of one process. */
	readonly owner?: string;
	/** Returns whether this instance has the claim still. */
	isOwn(work: Work): Promise<boolean>;
	/** Asks the instance that has the claim to cancel the work. Returns false where no other living instance has it. */
	requestCancel(work: Work): Promise<boolean>;
	/** Lists the work that this instance has claimed and that others want cancelled. */
	listCancelled(): Promise<readonly Work[]>;
	/** Resolves once no other living instance has the claim, or when the signal aborts. */
	untilReleased(work: Work, signal: AbortSignal): Promise<void>;
	/**
	 * Runs a recovery, which ends the work that no living instance has, and that of this one whose claims are not confirmed;
	 * the claims of that work are deleted. Recoveries come one after the other. One that fails is to be repeated.
	 */
	recovering(work: () => Promise<void>): Promise<void>;
	/** Claims the runs in progress that no living instance has; lists their ids. */
	claimInterruptedRuns(): Promise<readonly string[]>;
	/** Counts the runs in progress on other instances, also in the transaction that depends on it. */
	countRunsElsewhere(queries: Kysely<WorkspaceTables>): Promise<RunsElsewhere>;
	/** Tells other instances of a change, in the transaction that makes it. */
	notify(transaction: Kysely<WorkspaceTables>, change: WorkChange): Promise<void>;
	/** Tells other instances that runs are watched here. */
	notifyWatched(runIds: readonly string[]): Promise<void>;
	/** Condition that no living instance has claimed the work of a row. @param id - column with the id of the work. */
	isUnclaimed(kind: WorkKind, id: string): Expression<SqlBool>;
	/** Calls a function with the changes of other instances, until the returned function is called. */
	onChange(listener: (change: WorkChange) => void): () => void;
}

const NONE: RunsElsewhere = new Map();
const noop = (): void => undefined;

/** Claims of a store of one process: it has all work that is in progress. */
export const ownClaims: WorkClaims = {
	isShared: false,
	hasUnconfirmed: false,
	take: async () => true,
	taking: (_, transaction) => transaction(async () => true),
	release: async () => undefined,
	abandon: noop,
	toFenced: (written) => written,
	forgetEnded: noop,
	notifyAppended: noop,
	forgetLost: noop,
	isOwn: async () => true,
	requestCancel: async () => false,
	listCancelled: async () => [],
	untilReleased: async () => undefined,
	recovering: (work) => work(),
	claimInterruptedRuns: async () => [],
	countRunsElsewhere: async () => NONE,
	notify: async () => undefined,
	notifyWatched: async () => undefined,
	isUnclaimed: () => sql<SqlBool>`1 = 1`,
	onChange: () => noop,
};
