import type { A2aArtifact, A2aTaskStatus } from "@stemma/client/a2a";
import type { JsonObject } from "@stemma/core";

/** State of a task, as far as the events of its run show it. */
export interface TaskProgress {
	readonly taskId: string;
	readonly contextId: string;
	/** Sequence number of the last event; 0 for none. */
	readonly seq: number;
	readonly status: A2aTaskStatus;
	/** The answer, once there is some of it. */
	readonly artifact?: A2aArtifact;
	readonly metadata?: JsonObject;
}

/** A task in which nothing has happened. @param createdAt - RFC 3339. */
export const createTaskProgress = (
	{ taskId, contextId }: { readonly taskId: string; readonly contextId: string },
	createdAt: string,
): TaskProgress => ({
	taskId,
	contextId,
	seq: 0,
	status: { state: "TASK_STATE_SUBMITTED", timestamp: createdAt },
});
