import { A2aServerError, type TaskQuery, type TaskRecord, type TaskStore } from "@stemma/a2a-server";
import type { A2aTaskState } from "@stemma/client/a2a";
import type { Json, RunStatus } from "@stemma/core";
import { quote, sleep } from "@stemma/core/internal";
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
	function toRecord({ run, contextId, message }: Task): TaskRecord {
		// Whoever asks watches: the time of being unwatched begins anew.
		registry.active.touch(run.id);
		const { id: taskId, createdAt } = run;
		return { taskId, contextId, message, createdAt, events: async () => readEvents(run) };
	}

	function getRun(taskId: string): Run {
		const task = tasks.find(agentId, taskId);
		if (task === undefined)
			throw new A2aServerError("TASK_NOT_FOUND", `There is no task ${quote(taskId)}.`, {
				hint: "Tasks are deleted some minutes after they end.",
			});
		return task.run;
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
			const task = tasks.find(agentId, taskId);
			return task && toRecord(task);
		},
		async list(query) {
			const found = tasks.list(agentId).filter(matchesQuery(query)).sort(byStatusTime);
			const { tasks: page, ...rest } = paginate(found, query);
			return { tasks: page.map(toRecord), ...rest };
		},
		async *readConversation(contextId) {
			for (const task of tasks.list(agentId))
				if (task.contextId === contextId && task.run.result?.status === "completed") yield toRecord(task);
		},
		watch: (taskId, after, signal) => watchEvents(registry.active, getRun(taskId), after, signal),
		async decide(taskId, decisions) {
			const run = getRun(taskId);
			await decideApprovals(registry, run, decisions);
			return run.paused === undefined;
		},
		async cancel(taskId) {
			await Promise.race([registry.cancel(getRun(taskId)), sleep(CANCEL_WAIT_MS)]);
		},
	};
}

const STATES: Readonly<Record<RunStatus | "running", A2aTaskState>> = {
	running: "TASK_STATE_WORKING",
	completed: "TASK_STATE_COMPLETED",
	failed: "TASK_STATE_FAILED",
	cancelled: "TASK_STATE_CANCELED",
	paused: "TASK_STATE_AUTH_REQUIRED",
};

const matchesQuery =
	({ contextId, state, changedSince = 0 }: TaskQuery) =>
	(task: Task): boolean => {
		const { status, statusAt } = task.run;
		return (
			(contextId ?? task.contextId) === task.contextId &&
			(state ?? STATES[status]) === STATES[status] &&
			Date.parse(statusAt) >= changedSince
		);
	};

/** The last that changed its status first (A2A 1.0.1, section 3.1.4); of the same time, the newest. */
const byStatusTime = ({ run: one }: Task, { run: other }: Task): number =>
	Date.parse(other.statusAt) - Date.parse(one.statusAt);

function paginate(found: readonly Task[], { limit, after }: TaskQuery) {
	const startIndex = after === undefined ? 0 : found.findIndex(({ run }) => run.id === after) + 1;
	if (after !== undefined && startIndex === 0)
		throw new A2aServerError(
			"INVALID_PARAMS",
			"pageToken: It does not belong to this list, or its task was deleted.",
			{
				param: "pageToken",
				hint: "Start again without it.",
			},
		);
	const tasks = found.slice(startIndex, startIndex + limit);
	const next = startIndex + limit < found.length ? tasks.at(-1)?.run.id : undefined;
	return { tasks, total: found.length, next };
}
