import type { WireRunEvent } from "@stemma/client";
import type { A2aMessage, A2aPushConfig, A2aTaskState } from "@stemma/client/a2a";
import type { ApprovalDecision, Json } from "@stemma/core";

/**
 * Store behind the tasks of one agent, for one caller: the runs of a service or a runtime. Each task is a run; tasks
 * that
 * the caller may not see do not exist for it. A method throws an `A2aServerError` for what the protocol has a name for;
 * the server's option `mapError` maps everything else that it throws.
 */
export interface TaskStore {
	/**
	 * Starts the run of a new task. It has begun when this resolves. A message that the same caller has started a task with,
	 * or is starting one with at this moment, starts nothing: it gets that task.
	 *
	 * @param start.input - what the message says, as a run takes it; with the conversation that it goes on with.
	 */
	start(start: TaskStart): Promise<TaskRecord>;
	/** The task that the same caller has started with this message before, so that a message sent twice runs once. */
	findByMessage(messageId: string): Promise<TaskRecord | undefined>;
	find(taskId: string): Promise<TaskRecord | undefined>;
	/** Lists tasks by the time of the last change of status, the latest first. */
	list(query: TaskQuery): Promise<TaskPage>;
	/**
	 * The tasks of a context that this same caller has started and that have completed, newest first: what a message that
	 * names the context goes on with. None where the id could be known to others who come with the same credential.
	 */
	readConversation(contextId: string): AsyncIterable<TaskRecord>;
	/** The id of a new conversation, which nobody else has. Default: one that is no secret. */
	readonly createContextId?: (() => string) | undefined;
	/** The events of the run after a seq, in portions as they happen; ends with the last event, or when the signal aborts. */
	watch(taskId: string, after: number, signal: AbortSignal): AsyncIterable<readonly WireRunEvent[]>;
	/** Stops the run; resolves once it has ended, or after a while. Nothing happens to one that has. */
	cancel(taskId: string): Promise<void>;
	/**
	 * Decides on approvals that a task waits for: on all of these, or on none. The same decision again changes nothing.
	 * Undefined where the caller may not decide.
	 *
	 * @returns whether the task goes on; false where it still waits for another decision.
	 * @throws A2aServerError for an approval that is not open, or was decided otherwise.
	 */
	readonly decide?: ((taskId: string, decisions: readonly TaskDecision[]) => Promise<boolean>) | undefined;
	/** Store of the push configurations; `undefined` where push notifications are not offered, which the card says. */
	readonly pushConfigs?: PushConfigStore | undefined;
}

/** A decision on one approval, as a caller sends it. */
export type TaskDecision = Pick<ApprovalDecision, "approval_id" | "decision" | "reason">;

export interface TaskStart {
	readonly message: A2aMessage;
	readonly contextId: string;
	readonly input: Json;
	/** Set with the start of a new task, so that nothing is missed. */
	readonly pushConfig?: Omit<A2aPushConfig, "taskId"> | undefined;
}

/** A task as its store knows it. */
export interface TaskRecord {
	/** Opaque; the id of the run is in it. */
	readonly taskId: string;
	readonly contextId: string;
	/** Message that the task was started with. */
	readonly message: A2aMessage;
	/** RFC 3339. */
	readonly createdAt: string;
	/** Returns all events so far, in order. For a run that has ended, the last event is enough. */
	events(): Promise<readonly WireRunEvent[]>;
}

export interface TaskQuery {
	readonly contextId?: string | undefined;
	readonly state?: A2aTaskState | undefined;
	/** Epoch milliseconds. */
	readonly changedSince?: number | undefined;
	readonly limit: number;
	/** A `next` of a page before; anything may be in it. What is none is refused with `INVALID_PARAMS`. */
	readonly after?: string | undefined;
}

export interface TaskPage {
	readonly tasks: readonly TaskRecord[];
	readonly next?: string | undefined;
	readonly total: number;
}

/** The push configurations of a task. Their secrets are sealed where they are kept, and never given back. */
export interface PushConfigStore {
	set(config: A2aPushConfig): Promise<void>;
	get(taskId: string, id: string): Promise<A2aPushConfig | undefined>;
	list(taskId: string): Promise<readonly A2aPushConfig[]>;
	delete(taskId: string, id: string): Promise<void>;
}
