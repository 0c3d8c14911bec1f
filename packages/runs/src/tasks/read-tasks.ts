import { A2aServerError, type TaskPage, type TaskQuery, type TaskRecord } from "@stemma/a2a-server";
import type { StoredTask, TaskPosition, TaskRepository } from "./task-repository";

/** Lists a page of tasks, as a `TaskStore` does. @throws A2aServerError `INVALID_PARAMS` for a page token that is none. */
export async function listTasks<Task extends StoredTask>(
	tasks: TaskRepository<Task>,
	{ limit, after, ...filter }: TaskQuery,
	toRecord: (task: Task) => TaskRecord,
): Promise<TaskPage> {
	const position = after === undefined ? undefined : readPageToken(after);
	const [found, total] = await Promise.all([
		tasks.list(filter, { limit: limit + 1, after: position }),
		tasks.count(filter),
	]);
	const page = found.slice(0, limit);
	const last = found.length > limit ? page.at(-1) : undefined;
	return { tasks: page.map(toRecord), total, ...(last && { next: `${last.status_at}.${last.run_id}` }) };
}

/** Reads where a page has ended. */
function readPageToken(text: string): TaskPosition {
	const [, time, run_id] = /^(\d{1,15})\.([\w-]{1,80})$/.exec(text) ?? [];
	if (time !== undefined && run_id !== undefined) return { status_at: Number(time), run_id };
	throw new A2aServerError("INVALID_PARAMS", "pageToken: It is not the nextPageToken of a previous page.", {
		param: "pageToken",
		hint: "Start again without it.",
	});
}

/** Reads the completed tasks of a conversation, newest first. */
export async function* readConversation<Task extends StoredTask>(
	tasks: Pick<TaskRepository<Task>, "findCompleted">,
	contextId: string,
): AsyncGenerator<Task> {
	let task = await tasks.findCompleted(contextId);
	for (; task !== undefined; task = await tasks.findCompleted(contextId, task.run_id)) yield task;
}
