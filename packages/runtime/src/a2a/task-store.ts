import { A2aServerError, type TaskRecord, type TaskStore } from "@stemma/a2a-server";
import type { Json } from "@stemma/core";
import { quote, sleep } from "@stemma/core/internal";
import { MemoryTasks } from "@stemma/runs/tasks/memory-tasks";
import { listTasks, readConversation } from "@stemma/runs/tasks/read-tasks";
import { decideApprovals } from "../http/routes/decide-approvals";
import type { Run } from "../runs/run";
import type { RunRegistry } from "../runs/run-registry";
import { readEvents, watchEvents } from "./task-events";
import type { Task, TaskRegistry } from "./task-registry";

/** Options of the store of A2A tasks of one agent. */
export interface TaskStoreOptions {
	readonly tasks: TaskRegistry;
	readonly agentId: string;
	readonly registry: Pick<RunRegistry, "active" | "decide" | "cancel">;
	/** Starts a run of the agent. */
	readonly start: (input: Json) => Promise<Run>;
}

/** A cancelled run usually ends at once; the answer waits so long to tell it. */
const CANCEL_WAIT_MS = 2_000;

/** The tasks of one agent: whoever may use the runtime may see them all. */
export function createTaskStore({ tasks, registry, agentId, start }: TaskStoreOptions): TaskStore {
	const repository = new MemoryTasks(() => tasks.list(agentId));

	function toRecord({ run, context_id: contextId, message }: Task): TaskRecord {
		// Whoever asks watches: the time of being unwatched begins anew.
		registry.active.touch(run.id);
		const { id: taskId, createdAt } = run;
		return { taskId, contextId, message, createdAt, events: async () => readEvents(run) };
	}

	async function getRun(taskId: string): Promise<Run> {
		const task = await repository.find(taskId);
		if (task !== undefined) return task.run;
		throw new A2aServerError("TASK_NOT_FOUND", `There is no task ${quote(taskId)}.`, {
			hint: "Tasks are deleted some minutes after they end.",
		});
	}

	return {
		async start({ message, contextId, input }) {
			return toRecord(await tasks.startOnce({ agentId, contextId, message }, () => start(input)));
		},
		async findByMessage(messageId) {
			const task = await tasks.findByMessage(agentId, messageId);
			return task && toRecord(task);
		},
		async find(taskId) {
			const task = await repository.find(taskId);
			return task && toRecord(task);
		},
		list: (query) => listTasks(repository, query, toRecord),
		async *readConversation(contextId) {
			for await (const task of readConversation(repository, contextId)) yield toRecord(task);
		},
		async *watch(taskId, after, signal) {
			yield* watchEvents(registry.active, await getRun(taskId), after, signal);
		},
		async decide(taskId, decisions) {
			const run = await getRun(taskId);
			await decideApprovals(registry, run, decisions);
			return run.paused === undefined;
		},
		async cancel(taskId) {
			await Promise.race([registry.cancel(await getRun(taskId)), sleep(CANCEL_WAIT_MS)]);
		},
	};
}
