import type { A2aTaskState } from "@stemma/client/a2a";
import type { Kysely, Selectable } from "kysely";
import type { RunTables } from "../runs/run-tables";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { A2aTables } from "./a2a-tables";

/** A task, with what its run knows of it. */
export type TaskRow = Selectable<A2aTables["a2a_tasks"]> &
	Pick<Selectable<RunTables["runs"]>, "status" | "created_at" | "ended_at" | "last_seq">;

type WorkspaceQueries = Kysely<WorkspaceTables>;

export async function insertTask(
	queries: WorkspaceQueries,
	task: Selectable<A2aTables["a2a_tasks"]>,
): Promise<void> {
	await queries.insertInto("a2a_tasks").values(task).execute();
}

const selectTasks = (queries: WorkspaceQueries) =>
	queries
		.selectFrom("a2a_tasks")
		.innerJoin("runs", "runs.id", "a2a_tasks.run_id")
		.selectAll("a2a_tasks")
		.select(["runs.status", "runs.created_at", "runs.ended_at", "runs.last_seq"]);

export const findTask = (queries: WorkspaceQueries, runId: string): Promise<TaskRow | undefined> =>
	selectTasks(queries).where("a2a_tasks.run_id", "=", runId).executeTakeFirst();

/** Sender, recipient agent and key of a message. */
export type MessageSource = Pick<TaskRow, "agent_id" | "started_by" | "message_key">;

/** The run that a message has started. */
export async function findRunOfMessage(
	queries: WorkspaceQueries,
	{ agent_id, started_by, message_key }: MessageSource,
): Promise<string | undefined> {
	const row = await queries
		.selectFrom("a2a_tasks")
		.select("run_id")
		.where("agent_id", "=", agent_id)
		.where("started_by", "=", started_by)
		.where("message_key", "=", message_key)
		.executeTakeFirst();
	return row?.run_id;
}

/** Agent, caller and context that the tasks of a conversation share. */
export type Conversation = Pick<TaskRow, "agent_id" | "started_by" | "context_id">;

/** The newest task of a conversation that has completed. @param before - the run of one: then the next older. */
export const findCompletedTask = (
	queries: WorkspaceQueries,
	{ agent_id, started_by, context_id }: Conversation,
	before?: string,
): Promise<TaskRow | undefined> =>
	selectTasks(queries)
		.where("a2a_tasks.agent_id", "=", agent_id)
		.where("a2a_tasks.context_id", "=", context_id)
		.where("a2a_tasks.started_by", "=", started_by)
		.where("runs.status", "=", "completed")
		.$if(before !== undefined, (query) => query.where("a2a_tasks.run_id", "<", before ?? ""))
		.orderBy("a2a_tasks.run_id", "desc")
		.limit(1)
		.executeTakeFirst();

/** Filter of a list of tasks. */
export interface TaskFilter {
	readonly agentId: string;
	readonly contextId?: string | undefined;
	readonly state?: A2aTaskState | undefined;
	/** Epoch milliseconds. */
	readonly changedSince?: number | undefined;
}

export interface TaskListOptions extends TaskFilter {
	readonly limit: number;
	/** The last task of the page before. */
	readonly after?: Pick<TaskRow, "run_id" | "status_at"> | undefined;
}

/** The last that changed their status first; one more than the limit, where there are more. */
export const listTasks = (
	queries: WorkspaceQueries,
	{ limit, after, ...filter }: TaskListOptions,
): Promise<TaskRow[]> =>
	applyFilter(selectTasks(queries), filter)
		.$if(after !== undefined, (query) =>
			query.where(({ eb, refTuple, tuple }) =>
				eb(
					refTuple("a2a_tasks.status_at", "a2a_tasks.run_id"),
					"<",
					tuple(after?.status_at ?? 0, after?.run_id ?? ""),
				),
			),
		)
		.orderBy("a2a_tasks.status_at", "desc")
		.orderBy("a2a_tasks.run_id", "desc")
		.limit(limit + 1)
		.execute();

export async function countTasks(queries: WorkspaceQueries, filter: TaskFilter): Promise<number> {
	const { count } = await applyFilter(selectTasks(queries), filter)
		.clearSelect()
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	return count;
}

function applyFilter<Query extends ReturnType<typeof selectTasks>>(
	query: Query,
	{ agentId, contextId, state, changedSince }: TaskFilter,
): ReturnType<typeof selectTasks> {
	return query
		.where("a2a_tasks.agent_id", "=", agentId)
		.$if(contextId !== undefined, (tasks) => tasks.where("a2a_tasks.context_id", "=", contextId ?? ""))
		.$if(state !== undefined, (tasks) => tasks.where("runs.status", "in", [...toStatuses(state)]))
		.$if(state === "TASK_STATE_SUBMITTED", (tasks) => tasks.where("runs.last_seq", "=", 0))
		.$if(state === "TASK_STATE_WORKING", (tasks) => tasks.where("runs.last_seq", ">", 0))
		.$if(changedSince !== undefined, (tasks) => tasks.where("a2a_tasks.status_at", ">=", changedSince ?? 0));
}

/** Converts a task state to the statuses of runs in it; empty for states that no run is ever in. */
const toStatuses = (state: A2aTaskState = "TASK_STATE_UNSPECIFIED"): readonly TaskRow["status"][] =>
	STATUSES[state] ?? [];

const STATUSES: { readonly [State in A2aTaskState]?: readonly TaskRow["status"][] } = {
	TASK_STATE_SUBMITTED: ["running"],
	TASK_STATE_WORKING: ["running"],
	TASK_STATE_COMPLETED: ["completed"],
	TASK_STATE_FAILED: ["failed"],
	TASK_STATE_CANCELED: ["cancelled"],
	TASK_STATE_AUTH_REQUIRED: ["paused"],
};
