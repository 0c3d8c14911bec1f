import type { A2aMessage } from "@stemma/client/a2a";
import { StartOnce, type StoredTask } from "@stemma/runs";
import type { Run } from "../runs/run";
import type { RunRegistry } from "../runs/run-registry";

/** Message that starts a task. */
export interface TaskMessage {
	readonly agentId: string;
	readonly contextId: string;
	readonly message: A2aMessage;
}

/** A run that a message has started. */
export class Task implements StoredTask {
	readonly agentId: string;
	readonly context_id: string;
	readonly message: A2aMessage;
	readonly run: Run;

	constructor({ agentId, contextId, message }: TaskMessage, run: Run) {
		this.agentId = agentId;
		this.context_id = contextId;
		this.message = message;
		this.run = run;
	}

	get run_id(): string {
		return this.run.id;
	}

	get message_key(): string {
		return this.message.messageId;
	}

	get status(): StoredTask["status"] {
		return this.run.status;
	}

	get status_at(): number {
		return Date.parse(this.run.statusAt);
	}

	get last_seq(): number {
		return this.run.lastSeq;
	}
}

/** The tasks of one runtime: remembered as long as their runs are. */
export interface TaskRegistry {
	/** The task of that message to that agent, or a new one. */
	startOnce(message: TaskMessage, start: () => Promise<Run>): Promise<Task>;
	/** Finds the task of a message to an agent, also one that is about to start. */
	findByMessage(agentId: string, messageId: string): Promise<Task | undefined>;
	list(agentId: string): readonly Task[];
}

export function createTaskRegistry(runs: Pick<RunRegistry, "onEvict">): TaskRegistry {
	/** Tasks by run id. */
	const tasks = new Map<string, Task>();
	const started = new StartOnce<Task>();

	runs.onEvict(({ id }) => {
		const task = tasks.get(id);
		if (task === undefined) return;
		tasks.delete(id);
		started.forget(toKey(task.agentId, task.message.messageId));
	});

	async function startTask(message: TaskMessage, start: () => Promise<Run>): Promise<Task> {
		const task = new Task(message, await start());
		tasks.set(task.run_id, task);
		return task;
	}

	return {
		startOnce: (message, start) =>
			started.start(toKey(message.agentId, message.message.messageId), () => startTask(message, start)),
		findByMessage: async (agentId, messageId) => started.find(toKey(agentId, messageId))?.started,
		list: (agentId) => [...tasks.values()].filter((task) => task.agentId === agentId),
	};
}

const toKey = (agentId: string, messageId: string): string => JSON.stringify([agentId, messageId]);
