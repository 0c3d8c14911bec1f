import type { A2aTask, A2aTaskList, A2aTaskState } from "@stemma/client/a2a";
import { invalidParam } from "../a2a-server-error";
import {
	type Params,
	readBoolean,
	readEnum,
	readHistoryLength,
	readId,
	readInteger,
	readText,
} from "../requests/params";
import type { TaskQuery, TaskStore } from "../task-store";
import { TASK_STATES } from "../tasks/task-states";
import { readProgress, type TaskView, toTask } from "../tasks/to-task";
import type { Call, MethodResult } from "./call";

const DEFAULT_PAGE_SIZE = 50;
/** A page ends early where its tasks are long: many large ones at once would fill the memory. One is always given. */
const MAX_PAGE_CHARACTERS = 4_000_000;
/** Number of tasks that are read from the store at once, each with its message. */
const BATCH_SIZE = 20;

export async function listTasks({ agent, params }: Call): Promise<MethodResult> {
	const pageSize = readInteger(params, "pageSize", { min: 1, max: 100 }) ?? DEFAULT_PAGE_SIZE;
	const view = {
		historyLength: readHistoryLength(params),
		includeArtifacts: readBoolean(params, "includeArtifacts") ?? false,
	};
	const query = {
		contextId: readId(params, "contextId"),
		state: readState(params),
		changedSince: readTime(params),
		limit: pageSize,
		// Made by the store, so as long as it likes; empty is none (ProtoJSON).
		after: readText(params, "pageToken") || undefined,
	};
	const { tasks, next, total } = await readPage(agent.store, query, view);
	const list: A2aTaskList = { tasks, nextPageToken: next ?? "", pageSize, totalSize: total };
	return { value: list };
}

interface ReadPage {
	readonly tasks: readonly A2aTask[];
	readonly next: string | undefined;
	readonly total: number;
}

/** Reads one task after the other, until the page is full. */
async function readPage(store: TaskStore, query: TaskQuery, view: TaskView): Promise<ReadPage> {
	const tasks: A2aTask[] = [];
	let characters = 0;
	let { after } = query;
	for (;;) {
		const batch = { ...query, after, limit: Math.min(BATCH_SIZE, query.limit - tasks.length) };
		const { tasks: records, next, total } = await store.list(batch);
		for (const [index, record] of records.entries()) {
			const task = toTask(record, await readProgress(record), view);
			characters += JSON.stringify(task).length;
			if (characters > MAX_PAGE_CHARACTERS && tasks.length > 0)
				return {
					tasks,
					next: index === 0 ? after : (await store.list({ ...batch, limit: index })).next,
					total,
				};
			tasks.push(task);
		}
		if (next === undefined || tasks.length >= query.limit) return { tasks, next, total };
		after = next;
	}
}

function readState(params: Params): A2aTaskState | undefined {
	const state = readEnum(params, "status", TASK_STATES);
	return state === "TASK_STATE_UNSPECIFIED" ? undefined : state;
}

function readTime(params: Params): number | undefined {
	const text = readText(params, "statusTimestampAfter") ?? "";
	if (text === "") return undefined;
	const time = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
	if (Number.isNaN(time))
		throw invalidParam("statusTimestampAfter", "Expected a time as in 2026-01-31T12:00:00Z.");
	return time;
}
