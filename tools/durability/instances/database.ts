import { openPostgresSession } from "@stemma/service/store/postgres/connection/postgres-pool";
import {
	findPostgres,
	startPostgresServer,
} from "@stemma/service/store/postgres/test-support/postgres-server";

/** An empty database with the two roles of a service, on a server of its own. */
export interface InstancesDatabase {
	/** Variables of the environment that name it. */
	readonly environment: Readonly<Record<string, string>>;
	/** Ends the server without a warning, and starts it again. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

export const hasPostgres = findPostgres() !== undefined;

export async function startDatabase(): Promise<InstancesDatabase> {
	const server = await startPostgresServer(findPostgres() ?? "");
	const admin = await openPostgresSession(server.toUrl("postgres", "postgres"));
	await admin.query("create role stemma_owner login");
	await admin.query("create role stemma_app login");
	await admin.query("create database stemma owner stemma_owner");
	await admin.close();
	return {
		environment: {
			STEMMA_DATABASE_URL: server.toUrl("stemma_app", "stemma"),
			STEMMA_DATABASE_OWNER_URL: server.toUrl("stemma_owner", "stemma"),
		},
		restart: server.restart,
		stop: server.stop,
	};
}
