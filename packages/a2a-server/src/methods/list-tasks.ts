import type { A2aTaskList, A2aTaskState } from "@stemma/client/a2a";
import { invalidParam } from "../a2a-server-error";
import { type Params, readCount, readFlag, readHistoryLength, readId, readText } from "../requests/params";
import type { TaskRecord } from "../task-store";
import { TASK_STATES } from "../tasks/task-states";
import { readProgress, type TaskView, toTask } from "../tasks/to-task";
import type { Call, MethodAnswer } from "./call";

const DEFAULT_PAGE_SIZE = 50;

export async function listTasks({ agent, params }: Call): Promise<MethodAnswer> {
	const pageSize = readCount(params, "pageSize", { least: 1, most: 100 }) ?? DEFAULT_PAGE_SIZE;
	const view = {
		historyLength: readHistoryLength(params),
		includeArtifacts: readFlag(params, "includeArtifacts") ?? false,
	};
	const page = await agent.store.list({
		contextId: readId(params, "contextId"),
		state: readState(params),
		changedSince: readTime(params),
		limit: pageSize,
		// Made by the store, so as long as it likes; empty is none (ProtoJSON).
		after: readText(params, "pageToken") || undefined,
	});
	const tasks = await readTasks(page.tasks, view);
	const list: A2aTaskList = { tasks, nextPageToken: page.next ?? "", pageSize, totalSize: page.total };
	return { value: list };
}

/** One after the other: a page of long runs at once would fill the memory. */
async function readTasks(records: readonly TaskRecord[], view: TaskView): Promise<A2aTaskList["tasks"]> {
	const tasks = [];
	for (const record of records) tasks.push(toTask(record, await readProgress(record), view));
	return tasks;
}

function readState(params: Params): A2aTaskState | undefined {
	const text = readText(params, "status") ?? "";
	if (text === "" || text === "TASK_STATE_UNSPECIFIED") return undefined;
	const state = TASK_STATES.find((known) => known === text);
	if (state === undefined) throw invalidParam("status", `Expected one of ${TASK_STATES.join(", ")}.`);
	return state;
}

function readTime(params: Params): number | undefined {
	const text = readText(params, "statusTimestampAfter") ?? "";
	if (text === "") return undefined;
	const time = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
	if (Number.isNaN(time))
		throw invalidParam("statusTimestampAfter", "Expected a time as in 2026-01-31T12:00:00Z.");
	return time;
}
