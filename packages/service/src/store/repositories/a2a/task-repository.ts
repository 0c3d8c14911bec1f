import { type TaskFilter, type TaskRepository, toRunStatus } from "@stemma/runs";
import type { Kysely, Selectable } from "kysely";
import type {
	NewTask,
	TaskScope,
	WorkspaceTask,
	WorkspaceTaskRepository,
} from "../../../a2a/repositories/task-repository";
import type { NewRun, RunClaim } from "../../../runs/repositories/run-repository";
import type { StoredRun } from "../../../runs/stored-run";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Queries } from "../../database";
import { parseColumn } from "../../json-column";
import type { A2aTables } from "../../sqlite/a2a/a2a-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { insertClaimed } from "../runs/insert-run";
import { putConfig } from "./push-config-repository";

type Connection = Kysely<WorkspaceTables>;
type Row = Selectable<A2aTables["a2a_tasks"]> &
	Pick<StoredRun, "status" | "created_at" | "ended_at" | "last_seq">;

/** Tasks of a workspace. */
export const createTaskRepository = (
	{ read, write }: Queries<WorkspaceTables>,
	claims: WorkClaims = ownClaims,
): WorkspaceTaskRepository => ({
	insert: (run, admit, task, pushConfig) =>
		insertClaimed({ write, claims }, run, admit, async (transaction, insert): Promise<RunClaim> => {
			const existing = await findMessage(transaction, run, task);
			if (existing !== undefined) return { kind: "existing", runId: existing.run_id };
			await insert();
			await insertTask(transaction, run, task);
			if (pushConfig !== undefined) await putConfig(transaction, pushConfig);
			return { kind: "new" };
		}),
	find: (runId) => takeFirst(selectTasks(read).where("a2a_tasks.run_id", "=", runId)),
	forAgent: (scope) => createAgentTasks(read, scope),
});

/** Finds the run that the same caller has started with a message. */
const findMessage = (transaction: Connection, run: NewRun, { message_key }: NewTask) =>
	transaction
		.selectFrom("a2a_tasks")
		.select("run_id")
		.where("agent_id", "=", run.agent_id)
		.where("started_by", "=", run.started_by)
		.where("message_key", "=", message_key)
		.executeTakeFirst();

async function insertTask(
	transaction: Connection,
	run: NewRun,
	{ message, ...task }: NewTask,
): Promise<void> {
	const { id: run_id, agent_id, started_by } = run;
	await transaction
		.insertInto("a2a_tasks")
		.values({ ...task, run_id, agent_id, started_by, message: JSON.stringify(message) })
		.execute();
}

const createAgentTasks = (
	read: Connection,
	{ agentId, startedBy, ownOnly = false }: TaskScope,
): TaskRepository<WorkspaceTask> => ({
	find: (runId) => takeFirst(selectFiltered(read, agentId, {}).where("a2a_tasks.run_id", "=", runId)),
	findByMessage: (messageKey) =>
		takeFirst(
			selectFiltered(read, agentId, {})
				.where("a2a_tasks.started_by", "=", startedBy)
				.where("a2a_tasks.message_key", "=", messageKey),
		),
	async list(filter, { limit, after }) {
		const rows = await selectFiltered(read, agentId, filter)
			.$if(ownOnly, (tasks) => tasks.where("a2a_tasks.started_by", "=", startedBy))
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
			.execute();
		return rows.map(toTask);
	},
	async count(filter) {
		const { count } = await selectFiltered(read, agentId, filter)
			.$if(ownOnly, (tasks) => tasks.where("a2a_tasks.started_by", "=", startedBy))
			.clearSelect()
			.select(({ fn }) => fn.countAll<number>().as("count"))
			.executeTakeFirstOrThrow();
		return count;
	},
	findCompleted: (contextId, before) =>
		takeFirst(
			selectFiltered(read, agentId, { contextId, state: "TASK_STATE_COMPLETED" })
				.where("a2a_tasks.started_by", "=", startedBy)
				.$if(before !== undefined, (query) => query.where("a2a_tasks.run_id", "<", before ?? ""))
				.orderBy("a2a_tasks.run_id", "desc")
				.limit(1),
		),
});

const selectTasks = (read: Connection) =>
	read
		.selectFrom("a2a_tasks")
		.innerJoin("runs", "runs.id", "a2a_tasks.run_id")
		.selectAll("a2a_tasks")
		.select(["runs.status", "runs.created_at", "runs.ended_at", "runs.last_seq"]);

type SelectTasks = ReturnType<typeof selectTasks>;

const selectFiltered = (
	read: Connection,
	agentId: string,
	{ contextId, state, changedSince }: TaskFilter,
): SelectTasks => {
	const status = state && toRunStatus(state);
	return selectTasks(read)
		.where("a2a_tasks.agent_id", "=", agentId)
		.$if(contextId !== undefined, (tasks) => tasks.where("a2a_tasks.context_id", "=", contextId ?? ""))
		.$if(state !== undefined, (tasks) =>
			tasks.where(({ eb, lit }) => (status === undefined ? lit(false) : eb("runs.status", "=", status))),
		)
		.$if(state === "TASK_STATE_SUBMITTED", (tasks) => tasks.where("runs.last_seq", "=", 0))
		.$if(state === "TASK_STATE_WORKING", (tasks) => tasks.where("runs.last_seq", ">", 0))
		.$if(changedSince !== undefined, (tasks) => tasks.where("a2a_tasks.status_at", ">=", changedSince ?? 0));
};

async function takeFirst(tasks: SelectTasks): Promise<WorkspaceTask | undefined> {
	const row = await tasks.executeTakeFirst();
	return row && toTask(row);
}

const toTask = (row: Row): WorkspaceTask => ({ ...row, message: parseColumn(row.message) });
