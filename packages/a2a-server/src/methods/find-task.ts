import { A2aServerError } from "../a2a-server-error";
import type { TaskRecord, TaskStore } from "../task-store";

/** @throws A2aServerError `TASK_NOT_FOUND`, also for tasks that the caller may not see. */
export async function findTask(store: TaskStore, taskId: string): Promise<TaskRecord> {
	const record = await store.find(taskId);
	if (record !== undefined) return record;
	throw new A2aServerError("TASK_NOT_FOUND", `There is no task ${quoteId(taskId)}.`, {
		hint: "It may have been deleted, or it may belong to another caller.",
	});
}

const SHOWN_CHARACTERS = 80;

/** An id in quotes; anything may be in it. */
export const quoteId = (id: string): string =>
	JSON.stringify(id.length > SHOWN_CHARACTERS ? `${id.slice(0, SHOWN_CHARACTERS)}…` : id);
