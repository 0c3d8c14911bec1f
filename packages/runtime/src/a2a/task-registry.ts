import type { A2aMessage } from "@stemma/client/a2a";
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
	const started = new Map<string, Promise<Task>>();

	runs.onEvict(({ id }) => {
		const task = tasks.get(id);
		if (task === undefined) return;
		tasks.delete(id);
		started.delete(toKey(task.agentId, task.message.messageId));
	});

	async function startTask(task: Omit<Task, "run">, start: () => Promise<Run>): Promise<Task> {
		const startedTask = { ...task, run: await start() };
		tasks.set(startedTask.run.id, startedTask);
		return startedTask;
	}

	return {
		async startOnce(task, start) {
			const key = toKey(task.agentId, task.message.messageId);
			const known = started.get(key);
			if (known !== undefined) return known;
			const startedTask = startTask(task, start);
			started.set(key, startedTask);
			try {
				return await startedTask;
			} catch (error) {
				// Nothing was started: the message may be sent again.
				started.delete(key);
				throw error;
			}
		},
		findByMessage: async (agentId, messageId) => started.get(toKey(agentId, messageId)),
		find(agentId, taskId) {
			const task = tasks.get(taskId);
			return task?.agentId === agentId ? task : undefined;
		},
		list: (agentId) => [...tasks.values()].filter((task) => task.agentId === agentId).reverse(),
	};
}

const toKey = (agentId: string, messageId: string): string => JSON.stringify([agentId, messageId]);
