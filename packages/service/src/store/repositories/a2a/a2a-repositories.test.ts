import { describeTaskRepository } from "@stemma/runs/test-support/task-repository-contract";
import { openMemoryDatabase } from "../../../http/test-support/memory-database";
import { addTask, type OpenedTasks, toTask } from "../../test-support/a2a-fixture";
import { describePushConfigRepository } from "../../test-support/push-config-contract";
import { describeWorkspaceTasks } from "../../test-support/task-contract";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { createPushConfigRepository } from "./push-config-repository";
import { createTaskRepository } from "./task-repository";

function open(): OpenedTasks {
	const database = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	return {
		tasks: createTaskRepository(database),
		pushConfigs: createPushConfigRepository(database),
		async deleteRun(id) {
			await database.write.deleteFrom("runs").where("id", "=", id).execute();
		},
	};
}

describeTaskRepository("SQLite", async () => {
	const opened = open();
	return {
		tasks: opened.tasks.forAgent({ agentId: "ag_1", startedBy: "cl_1" }),
		add: async ({ run_id, ...task }) => void (await addTask(opened, toTask(run_id, task))),
	};
});
describeWorkspaceTasks(open);
describePushConfigRepository(open);
