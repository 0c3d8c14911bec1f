import { describeTaskRepository } from "@stemma/runs/test-support/task-repository-contract";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { createTaskRepository, insertTask } from "./task-rows";

describeTaskRepository("SQLite", async () => {
	const { read, write } = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	const run = {
		agent_id: "ag_1",
		agent_slug: "desk",
		agent_version: 1,
		background: 1,
		started_by: "cl_1",
		created_at: 0,
		ended_at: null,
		within: null,
	} as const;
	return {
		tasks: createTaskRepository(read, { agentId: "ag_1", startedBy: "cl_1" }),
		async add({ run_id: id, status, last_seq, ...task }) {
			await write.transaction().execute(async (transaction) => {
				await transaction
					.insertInto("runs")
					.values({ ...run, id, status, last_seq })
					.execute();
				const { agent_id, started_by } = run;
				await insertTask(transaction, { ...task, run_id: id, agent_id, started_by, message: "{}" });
			});
		},
	};
});
