import { randomUUID } from "node:crypto";
import { openPostgresSession } from "../connection/postgres-pool";
import { type APPLICATION, OWNER, TEMPLATE, type TestServer } from "./test-server";

/** A migrated and empty database of a test's own. */
export interface CreatedDatabase {
	/** URL for the application's role, the owner of the tables, or the superuser. */
	toUrl(role: typeof APPLICATION | typeof OWNER | "postgres"): string;
	/** Ends the connections to it and deletes it. */
	drop(): Promise<void>;
}

/** Name and URLs of a database that {@link createDatabase} makes. */
export const nameDatabase = (server: TestServer) => {
	const name = `test_${randomUUID().replaceAll("-", "")}`;
	const toUrl = (role: string, database = name): string =>
		(server.isRunning ? server.url : "").replace("ROLE", role).replace("DATABASE", database);
	/** Only the server's superuser creates and drops databases. */
	const administer = async (sql: string): Promise<void> => {
		const session = await openPostgresSession(toUrl("postgres", "postgres"));
		await session.query(sql);
		await session.close();
	};
	return {
		toUrl,
		create: () => administer(`create database ${name} template ${TEMPLATE} owner ${OWNER}`),
		drop: () => administer(`drop database if exists ${name} with (force)`),
	};
};

/** Creates a database on the server of the tests. */
export async function createDatabase(server: TestServer): Promise<CreatedDatabase> {
	const { toUrl, create, drop } = nameDatabase(server);
	await create();
	return { toUrl: (role) => toUrl(role), drop };
}
