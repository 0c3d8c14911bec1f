import { type TaskFilter, type TaskRepository, toRunStatus } from "@stemma/runs";
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

/** Tasks of one agent in the store of a workspace. */
export interface TaskScope {
	readonly agentId: string;
	/** The caller whose messages and conversations are found. */
	readonly startedBy: string;
}

export const createTaskRepository = (
	queries: WorkspaceQueries,
	{ agentId, startedBy }: TaskScope,
): TaskRepository<TaskRow> => ({
	find: (runId) =>
		selectTasks(queries)
			.where("a2a_tasks.run_id", "=", runId)
			.where("a2a_tasks.agent_id", "=", agentId)
			.executeTakeFirst(),
	async findByMessage(message_key) {
		const runId = await findRunOfMessage(queries, { agent_id: agentId, started_by: startedBy, message_key });
		return runId === undefined ? undefined : findTask(queries, runId);
	},
	list: (filter, { limit, after }) =>
		selectFiltered(queries, agentId, filter)
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
			.limit(limit)
			.execute(),
	async count(filter) {
		const { count } = await selectFiltered(queries, agentId, filter)
			.clearSelect()
			.select(({ fn }) => fn.countAll<number>().as("count"))
			.executeTakeFirstOrThrow();
		return count;
	},
	findCompleted: (contextId, before) =>
		selectFiltered(queries, agentId, { contextId, state: "TASK_STATE_COMPLETED" })
			.where("a2a_tasks.started_by", "=", startedBy)
			.$if(before !== undefined, (query) => query.where("a2a_tasks.run_id", "<", before ?? ""))
			.orderBy("a2a_tasks.run_id", "desc")
			.limit(1)
			.executeTakeFirst(),
});

const selectFiltered = (
	queries: WorkspaceQueries,
	agentId: string,
	{ contextId, state, changedSince }: TaskFilter,
): ReturnType<typeof selectTasks> => {
	const status = state && toRunStatus(state);
	return selectTasks(queries)
		.where("a2a_tasks.agent_id", "=", agentId)
		.$if(contextId !== undefined, (tasks) => tasks.where("a2a_tasks.context_id", "=", contextId ?? ""))
		.$if(state !== undefined, (tasks) =>
			tasks.where("runs.status", "in", status === undefined ? [] : [status]),
		)
		.$if(state === "TASK_STATE_SUBMITTED", (tasks) => tasks.where("runs.last_seq", "=", 0))
		.$if(state === "TASK_STATE_WORKING", (tasks) => tasks.where("runs.last_seq", ">", 0))
		.$if(changedSince !== undefined, (tasks) => tasks.where("a2a_tasks.status_at", ">=", changedSince ?? 0));
};
