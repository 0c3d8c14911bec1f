import type { StoredTask, TaskFilter, TaskListPage, TaskPosition, TaskRepository } from "./task-repository";
import { toRunStatus } from "./task-repository";

/** Tasks of one agent in memory. */
export class MemoryTasks<Task extends StoredTask> implements TaskRepository<Task> {
	readonly #list: () => readonly Task[];

	/** @param list - gives the tasks of now, in any order. */
	constructor(list: () => readonly Task[]) {
		this.#list = list;
	}

	async find(runId: string): Promise<Task | undefined> {
		return this.#list().find(({ run_id }) => run_id === runId);
	}

	async findByMessage(messageKey: string): Promise<Task | undefined> {
		return this.#list().find(({ message_key }) => message_key === messageKey);
	}

	async list(filter: TaskFilter, { limit, after }: TaskListPage): Promise<readonly Task[]> {
		const found = this.#filter(filter).sort(comparePositions);
		const rest = after === undefined ? found : found.filter((task) => comparePositions(after, task) < 0);
		return rest.slice(0, limit);
	}

	async count(filter: TaskFilter): Promise<number> {
		return this.#filter(filter).length;
	}

	async findCompleted(contextId: string, before?: string): Promise<Task | undefined> {
		return this.#filter({ contextId, state: "TASK_STATE_COMPLETED" })
			.filter(({ run_id }) => before === undefined || run_id < before)
			.sort((one, other) => compareText(other.run_id, one.run_id))[0];
	}

	#filter(filter: TaskFilter): Task[] {
		return this.#list().filter((task) => matchesFilter(task, filter));
	}
}

function matchesFilter(task: StoredTask, { contextId, state, changedSince = 0 }: TaskFilter): boolean {
	if (contextId !== undefined && task.context_id !== contextId) return false;
	if (task.status_at < changedSince) return false;
	if (state === undefined) return true;
	return task.status === toRunStatus(state) && matchesStart(task, state);
}

/** A run without an event is submitted, and not in progress yet. */
const matchesStart = ({ last_seq, status }: StoredTask, state: TaskFilter["state"]): boolean =>
	status !== "running" || (last_seq === 0) === (state === "TASK_STATE_SUBMITTED");

const comparePositions = (one: TaskPosition, other: TaskPosition): number =>
	other.status_at - one.status_at || compareText(other.run_id, one.run_id);

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
