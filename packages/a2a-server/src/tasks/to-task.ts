import type { WireRunEvent } from "@stemma/client";
import type { A2aMessage, A2aTask } from "@stemma/client/a2a";
import type { TaskRecord } from "../task-store";
import { reduceTask } from "./reduce-task";
import { createTaskProgress, type TaskProgress } from "./task-progress";

/** Options for the parts of a task that are shown. */
export interface TaskView {
	/** Number of messages that are included; 0 for none. Default: all. */
	readonly historyLength?: number | undefined;
	/** Default true. */
	readonly includeArtifacts?: boolean | undefined;
}

/** The progress of a task over all that has happened in its run so far. */
export async function readProgress(record: TaskRecord): Promise<TaskProgress> {
	return addEvents(createTaskProgress(record, record.createdAt), await record.events());
}

export const addEvents = (progress: TaskProgress, events: readonly WireRunEvent[]): TaskProgress =>
	events.reduce((before, event) => reduceTask(before, event).progress, progress);

/** A task as the protocol tells it. */
export function toTask(
	record: TaskRecord,
	{ status, artifact, metadata }: TaskProgress,
	{ historyLength, includeArtifacts = true }: TaskView = {},
): A2aTask {
	const { taskId, contextId, message } = record;
	return {
		id: taskId,
		contextId,
		status,
		...(includeArtifacts && artifact !== undefined ? { artifacts: [artifact] } : {}),
		...(historyLength === 0 ? {} : { history: [toHistory(message, taskId, contextId)] }),
		...(metadata === undefined ? {} : { metadata }),
	};
}

const toHistory = (message: A2aMessage, taskId: string, contextId: string): A2aMessage => ({
	...message,
	taskId,
	contextId,
});
