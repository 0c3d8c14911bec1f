import type { A2aMessage } from "@stemma/client/a2a";
import { StartOnce } from "@stemma/runs";
import type { Run } from "../runs/run";
import type { RunRegistry } from "../runs/run-registry";

/** A run that a message has started. */
export interface Task {
	readonly agentId: string;
	readonly contextId: string;
	readonly message: A2aMessage;
	readonly run: Run;
}

/** The tasks of one runtime: remembered as long as their runs are. */
export interface TaskRegistry {
	/** The task of that message to that agent, or a new one. */
	startOnce(task: Omit<Task, "run">, start: () => Promise<Run>): Promise<Task>;
	findByMessage(agentId: string, messageId: string): Promise<Task | undefined>;
	find(agentId: string, taskId: string): Task | undefined;
	/** Newest first. */
	list(agentId: string): readonly Task[];
}

export function createTaskRegistry(runs: Pick<RunRegistry, "onEvict">): TaskRegistry {
	/** Tasks by run id, oldest first. */
	const tasks = new Map<string, Task>();
	const started = new StartOnce<Task>();

	runs.onEvict(({ id }) => {
		const task = tasks.get(id);
		if (task === undefined) return;
		tasks.delete(id);
		started.forget(toKey(task.agentId, task.message.messageId));
	});

	async function startTask(task: Omit<Task, "run">, start: () => Promise<Run>): Promise<Task> {
		const startedTask = { ...task, run: await start() };
		tasks.set(startedTask.run.id, startedTask);
		return startedTask;
	}

	return {
		startOnce: (task, start) =>
			started.start(toKey(task.agentId, task.message.messageId), () => startTask(task, start)),
		findByMessage: async (agentId, messageId) => started.find(toKey(agentId, messageId))?.started,
		find(agentId, taskId) {
			const task = tasks.get(taskId);
			return task?.agentId === agentId ? task : undefined;
		},
		list: (agentId) => [...tasks.values()].filter((task) => task.agentId === agentId).reverse(),
	};
}

const toKey = (agentId: string, messageId: string): string => JSON.stringify([agentId, messageId]);
