import { createDeploymentAuditRepository, recordDeploymentAudit } from "../repositories/audit-repository";
import { createDeploymentStore } from "../repositories/deployment/deployment-store";
import { describeAuditRepository } from "../test-support/audit-contract";
import { describeDeploymentStore } from "../test-support/deployment-contract";
import { describePeopleRepositories } from "../test-support/people-contract";
import { describeOnPostgres } from "./test-support/describe-on-postgres";

describeOnPostgres("the deployment's store", (database) =>
	describeDeploymentStore(() => createDeploymentStore(database.openDeployment())),
);
describeOnPostgres("people in the deployment's store", (database) =>
	describePeopleRepositories(() => createDeploymentStore(database.openDeployment())),
);
describeOnPostgres("the deployment's audit log", (database) =>
	describeAuditRepository(async () => {
		const deployment = database.openDeployment();
		await deployment.write.insertInto("workspaces").values({ id: "ws_1", name: "", created_at: 0 }).execute();
		const audit = createDeploymentAuditRepository(deployment);
		return {
			list: (page) => audit.list("ws_1", page),
			record: (entry) => recordDeploymentAudit(deployment.write, "ws_1", entry),
		};
	}),
);
