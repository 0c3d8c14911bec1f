import { inject } from "vitest";
import type { ConfigurationInput } from "../configuration/configuration-file";
import { createDatabase } from "../store/postgres/test-support/create-database";
import { APPLICATION } from "../store/postgres/test-support/test-server";

/** Database that a test deployment keeps everything in. */
export interface TestDatabase {
	/** Section of the configuration; empty where the deployment is on SQLite. */
	readonly content: Pick<ConfigurationInput, "database">;
	drop(): Promise<void>;
}

/** True in the project whose deployments are on Postgres. */
export const isOnPostgres = (): boolean => inject("postgres")?.isRunning === true;

/** Creates a database where the tests of this project run on Postgres. */
export async function createTestDatabase(): Promise<TestDatabase> {
	const server = inject("postgres");
	if (!server?.isRunning) return { content: {}, drop: async () => undefined };
	const { toUrl, drop } = await createDatabase(server);
	return { content: { database: { url: toUrl(APPLICATION), pool_size: 5 } }, drop };
}
