import { describeRunStore } from "@stemma/runs/test-support/run-store-contract";
import { describeTaskRepository } from "@stemma/runs/test-support/task-repository-contract";
import { createWorkspaceStore } from "../repositories/workspace-store";
import { addTask, type OpenedTasks, toTask } from "../test-support/a2a-fixture";
import { describeAccess } from "../test-support/access-contract";
import { describeAgentRepository } from "../test-support/agent-contract";
import { describeApprovalRepository } from "../test-support/approval-contract";
import { describeAuditRepository } from "../test-support/audit-contract";
import { describeCiphertextRepository } from "../test-support/ciphertext-contract";
import { describeFeedbackRepository } from "../test-support/feedback-contract";
import { describeIdempotencyRepository } from "../test-support/idempotency-contract";
import { describePushConfigRepository } from "../test-support/push-config-contract";
import { describeResponseRepository } from "../test-support/response-contract";
import { describeRetention } from "../test-support/retention-contract";
import { describeRunRepository } from "../test-support/run-contract";
import { toNewRun } from "../test-support/run-fixture";
import { describeSecretRepository } from "../test-support/secret-contract";
import { describeSettingsRepository } from "../test-support/settings-contract";
import { describeWorkspaceTasks } from "../test-support/task-contract";
import { describeThreadRepository } from "../test-support/thread-contract";
import { describeUsageRepository } from "../test-support/usage-contract";
import { describeOnPostgres, type TestDatabase } from "./test-support/describe-on-postgres";

/** Each store is of a workspace of its own in the same tables, and the ids of all are the same. */
const openStore = ({ openWorkspace }: TestDatabase) => createWorkspaceStore(openWorkspace());

describeOnPostgres("the repositories of a workspace", (database) => {
	const open = () => openStore(database);
	describeAccess(open);
	describeAgentRepository(open);
	describeApprovalRepository(open);
	describeAuditRepository(async () => open().audit);
	describeCiphertextRepository(open);
	describeFeedbackRepository(open);
	describeIdempotencyRepository(() => open().idempotency);
	describeResponseRepository(() => open().responses);
	describeRetention(open);
	describeRunRepository(open);
	describeSecretRepository(open);
	describeSettingsRepository(open);
	describeThreadRepository(open);
	describeUsageRepository(() => {
		const store = open();
		return { repository: store.usage, runs: store.runs, close: () => store.close() };
	});
});

describeOnPostgres("the events of runs", ({ openWorkspace }) => {
	describeRunStore("a Postgres database", async () => {
		const opened = openWorkspace();
		const { runs } = createWorkspaceStore(opened);
		return {
			store: runs,
			createRun: async (id) => void (await runs.insert(toNewRun(id), () => undefined)),
			reopen: async () => createWorkspaceStore(opened).runs,
		};
	});
});

describeOnPostgres("tasks", ({ openWorkspace }) => {
	function open(): OpenedTasks {
		const database = openWorkspace();
		const { tasks, pushConfigs } = createWorkspaceStore(database);
		return {
			...{ tasks, pushConfigs },
			async deleteRun(id) {
				await database.write.deleteFrom("runs").where("id", "=", id).execute();
			},
		};
	}
	describeTaskRepository("Postgres", async () => {
		const opened = open();
		return {
			tasks: opened.tasks.forAgent({ agentId: "ag_1", startedBy: "cl_1" }),
			add: async ({ run_id, ...task }) => void (await addTask(opened, toTask(run_id, task))),
		};
	});
	describeWorkspaceTasks(open);
	describePushConfigRepository(open);
});
