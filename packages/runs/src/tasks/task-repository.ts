import type { A2aTaskState } from "@stemma/client/a2a";
import type { RunHead } from "../store/run-store";

/** Run that is a task of A2A, as lists need it. Times are epoch milliseconds. */
export interface StoredTask {
	readonly run_id: string;
	readonly context_id: string;
	/** Key that identifies a message when the same caller sends it again. */
	readonly message_key: string;
	readonly status: RunHead["status"];
	/** Time of the last status change. */
	readonly status_at: number;
	/** Sequence number of the last event; 0 for none. */
	readonly last_seq: number;
}

/** Filter of a list of tasks. */
export interface TaskFilter {
	readonly contextId?: string | undefined;
	readonly state?: A2aTaskState | undefined;
	/** Epoch milliseconds. */
	readonly changedSince?: number | undefined;
}

/** Position in a list of tasks: the fields that order it. */
export type TaskPosition = Pick<StoredTask, "run_id" | "status_at">;

/** Page of a list of tasks. */
export interface TaskListPage {
	readonly limit: number;
	/** The last task of the page before. */
	readonly after?: TaskPosition | undefined;
}

/** Tasks of one agent, wherever they are kept. */
export interface TaskRepository<Task extends StoredTask = StoredTask> {
	find(runId: string): Promise<Task | undefined>;
	/** Finds the task that the same caller has started with a message. */
	findByMessage(messageKey: string): Promise<Task | undefined>;
	/** Lists the tasks whose status has changed last first (A2A 1.0.1, section 3.1.4); at one time, by run id. */
	list(filter: TaskFilter, page: TaskListPage): Promise<readonly Task[]>;
	count(filter: TaskFilter): Promise<number>;
	/**
	 * Finds the newest task of a conversation of the same caller that has completed.
	 *
	 * @param before - a run: then the next older one.
	 */
	findCompleted(contextId: string, before?: string): Promise<Task | undefined>;
}

type Status = StoredTask["status"];

const STATUSES: { readonly [State in A2aTaskState]?: Status } = {
	TASK_STATE_SUBMITTED: "running",
	TASK_STATE_WORKING: "running",
	TASK_STATE_COMPLETED: "completed",
	TASK_STATE_FAILED: "failed",
	TASK_STATE_CANCELED: "cancelled",
	TASK_STATE_AUTH_REQUIRED: "paused",
};

/** Status of the runs whose tasks are in a state; undefined for states that no run is ever in. */
export const toRunStatus = (state: A2aTaskState): Status | undefined => STATUSES[state];
