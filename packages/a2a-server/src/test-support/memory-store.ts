import type { WireRunEvent } from "@stemma/client";
import type { A2aPushConfig } from "@stemma/client/a2a";
import { A2aServerError } from "../a2a-server-error";
import type { PushConfigStore, TaskDecision, TaskRecord, TaskStart, TaskStore } from "../task-store";
import { readProgress } from "../tasks/to-task";
import { cancelled, type TestRunEvent, toEvents } from "./run-events";

export interface MemoryStore extends TaskStore {
	readonly starts: TaskStart[];
	/** Tasks that were read as parts of a conversation. */
	readonly conversationReads: string[];
	/** Readers of `watch` at this moment. */
	readonly watchers: number;
	/** Decisions, in order. */
	readonly decisions: TaskDecision[];
	/** Lets things happen in a run; all at once is one portion. */
	emit(taskId: string, ...events: TestRunEvent[]): void;
}

export interface MemoryStoreOptions {
	readonly push?: boolean;
	readonly createContextId?: (() => string) | undefined;
	/** Continuation once `ap_1` is decided. Default: the caller may not decide. */
	readonly onDecision?: readonly TestRunEvent[] | undefined;
}

interface MemoryTask {
	readonly record: TaskRecord;
	readonly batches: (readonly WireRunEvent[])[];
	readonly waiters: Set<() => void>;
}

/** Runs in memory, in which happens what a test says. @param script - what happens at once in each run. */
export function createMemoryStore(
	script: readonly TestRunEvent[] = [],
	{ push = false, createContextId, onDecision }: MemoryStoreOptions = {},
): MemoryStore {
	const tasks = new Map<string, MemoryTask>();
	const starts: TaskStart[] = [];
	const conversationReads: string[] = [];
	const decisions: TaskDecision[] = [];
	const pushConfigs = createMemoryPushConfigs();
	let watchers = 0;

	const eventsOf = ({ batches }: MemoryTask): WireRunEvent[] => batches.flat();

	function emit(taskId: string, ...events: TestRunEvent[]): void {
		const task = tasks.get(taskId);
		if (task === undefined) throw new Error(`no task ${taskId}`);
		task.batches.push(toEvents(events, taskId, eventsOf(task).length));
		for (const wake of [...task.waiters]) wake();
	}

	return {
		starts,
		conversationReads,
		decisions,
		emit,
		get watchers() {
			return watchers;
		},
		async start(start) {
			starts.push(start);
			if (start.input === "too many")
				throw new A2aServerError("INTERNAL_ERROR", "Too many requests.", {
					code: "rate_limited",
					status: 429,
					headers: { "retry-after": "7" },
				});
			if (start.input === "break") throw new Error("secret: s3cret");
			const taskId = `run_${starts.length}`;
			const task: MemoryTask = {
				record: {
					taskId,
					contextId: start.contextId,
					message: start.message,
					createdAt: "2026-01-02T03:04:00.000Z",
					events: async () => eventsOf(task),
				},
				batches: [],
				waiters: new Set(),
			};
			tasks.set(taskId, task);
			if (start.pushConfig !== undefined) await pushConfigs.set({ ...start.pushConfig, taskId });
			if (script.length > 0) emit(taskId, ...script);
			return task.record;
		},
		findByMessage: async (messageId) =>
			[...tasks.values()].find(({ record }) => record.message.messageId === messageId)?.record,
		find: async (taskId) => tasks.get(taskId)?.record,
		async list({ limit, after = "0", contextId, state }) {
			const records = [...tasks.values()].map(({ record }) => record).reverse();
			const found = [];
			for (const record of records) {
				const { status } = await readProgress(record);
				if ((contextId ?? record.contextId) === record.contextId && (state ?? status.state) === status.state)
					found.push(record);
			}
			const begin = Number(after);
			const next = begin + limit < found.length ? String(begin + limit) : undefined;
			return { tasks: found.slice(begin, begin + limit), total: found.length, next };
		},
		async *readConversation(contextId) {
			for (const { record } of [...tasks.values()].reverse()) {
				const { status } = await readProgress(record);
				if (record.contextId !== contextId || status.state !== "TASK_STATE_COMPLETED") continue;
				conversationReads.push(record.taskId);
				yield record;
			}
		},
		createContextId,
		async *watch(taskId, after, signal) {
			const task = tasks.get(taskId);
			if (task === undefined) return;
			watchers += 1;
			try {
				for (let index = 0; !signal.aborted; ) {
					const batch = task.batches[index]?.filter(({ seq }) => seq > after);
					if (batch === undefined) {
						if (eventsOf(task).some(isEnd)) return;
						await new Promise<void>((resolve) => {
							task.waiters.add(resolve);
							signal.addEventListener("abort", () => resolve());
						});
						continue;
					}
					index += 1;
					if (batch.some((event) => event.type === "text.delta" && event.text === "break"))
						throw new Error("secret: s3cret");
					if (batch.length > 0) yield batch;
				}
			} finally {
				watchers -= 1;
			}
		},
		decide:
			onDecision &&
			(async (taskId, newDecisions) => {
				const unknown = newDecisions.find(({ approval_id }) => approval_id !== "ap_1");
				if (unknown !== undefined)
					throw new A2aServerError("INVALID_PARAMS", "There is no such approval.", {
						code: "approval_not_found",
					});
				const isNew = decisions.length === 0;
				decisions.push(...newDecisions);
				// As a real store may: the events come after the decision was taken.
				if (isNew) setTimeout(() => emit(taskId, ...onDecision));
				return true;
			}),
		async cancel(taskId) {
			emit(taskId, cancelled(null));
		},
		pushConfigs: push ? pushConfigs : undefined,
	};
}

const isEnd = ({ type }: WireRunEvent): boolean => /^run\.(completed|failed|cancelled)$/.test(type);

function createMemoryPushConfigs(): PushConfigStore {
	const configs = new Map<string, A2aPushConfig>();
	const keyOf = (taskId: string, id: string): string => `${taskId} ${id}`;
	return {
		set: async (config) => void configs.set(keyOf(config.taskId, config.id), config),
		get: async (taskId, id) => configs.get(keyOf(taskId, id)),
		list: async (taskId) => [...configs.values()].filter((config) => config.taskId === taskId),
		delete: async (taskId, id) => void configs.delete(keyOf(taskId, id)),
	};
}
