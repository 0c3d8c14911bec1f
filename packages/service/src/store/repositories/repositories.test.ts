import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { type DeploymentTables, deploymentMigrations } from "../deployment-tables";
import { describeAccess } from "../test-support/access-contract";
import { describeAgentRepository } from "../test-support/agent-contract";
import { describeApprovalRepository } from "../test-support/approval-contract";
import { describeAuditRepository } from "../test-support/audit-contract";
import { describeCiphertextRepository } from "../test-support/ciphertext-contract";
import { describeDeploymentStore } from "../test-support/deployment-contract";
import { describeFeedbackRepository } from "../test-support/feedback-contract";
import { describeIdempotencyRepository } from "../test-support/idempotency-contract";
import { describePeopleRepositories } from "../test-support/people-contract";
import { describePushRepository } from "../test-support/push-contract";
import { describeResponseRepository } from "../test-support/response-contract";
import { describeRetention } from "../test-support/retention-contract";
import { describeRunRepository } from "../test-support/run-contract";
import { describeSecretRepository } from "../test-support/secret-contract";
import { describeSettingsRepository } from "../test-support/settings-contract";
import { describeSourceRepositories } from "../test-support/source-contract";
import { describeThreadRepository } from "../test-support/thread-contract";
import { type WorkspaceTables, workspaceMigrations } from "../workspace-tables";
import { createDeploymentAuditRepository, recordDeploymentAudit } from "./audit-repository";
import { createDeploymentStore } from "./deployment/deployment-store";
import { createWorkspaceStore } from "./workspace-store";

const open = () => createWorkspaceStore(openMemoryDatabase<WorkspaceTables>(workspaceMigrations));

describeAccess(open);
describeAgentRepository(open);
describeApprovalRepository(open);
describeAuditRepository(async () => open().audit);
describeAuditRepository(async () => {
	const database = openMemoryDatabase<DeploymentTables>(deploymentMigrations);
	await database.write.insertInto("workspaces").values({ id: "ws_1", name: "", created_at: 0 }).execute();
	const audit = createDeploymentAuditRepository(database);
	return {
		list: (page) => audit.list("ws_1", page),
		record: (entry) => recordDeploymentAudit(database.write, "ws_1", entry),
	};
});
describeCiphertextRepository(open);
describeDeploymentStore(() =>
	createDeploymentStore(openMemoryDatabase<DeploymentTables>(deploymentMigrations)),
);
describeFeedbackRepository(open);
describeIdempotencyRepository(() => open().idempotency);
describePushRepository(open);
describeResponseRepository(() => open().responses);
describePeopleRepositories(() =>
	createDeploymentStore(openMemoryDatabase<DeploymentTables>(deploymentMigrations)),
);
describeRetention(open);
describeRunRepository(open);
describeSecretRepository(open);
describeSettingsRepository(open);
describeSourceRepositories(open);
describeThreadRepository(open);
