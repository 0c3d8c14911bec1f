import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { describeSecretRepository } from "../test-support/secret-contract";
import { describeSettingsRepository } from "../test-support/settings-contract";
import { type WorkspaceTables, workspaceMigrations } from "../workspace-tables";
import { createSecretRepository } from "./secret-repository";
import { createSettingsRepository } from "./settings-repository";

function open() {
	const database = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	const countAudits = async () => (await database.read.selectFrom("audit").selectAll().execute()).length;
	return { database, countAudits };
}

describeSettingsRepository(() => {
	const { database, countAudits } = open();
	return { repository: createSettingsRepository(database), countAudits };
});
describeSecretRepository(() => {
	const { database, countAudits } = open();
	return { repository: createSecretRepository(database), countAudits };
});
