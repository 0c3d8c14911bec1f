import type { WorkspaceStore } from "../../workspace-store";
import { type InstanceSession, openInstanceSession } from "../instances/instance-session";
import { createPostgresOpener } from "../open-stores";
import type { TestDatabase } from "./describe-on-postgres";
import { createFaultyPool, type StatementFault } from "./faulty-pool";
import { APPLICATION } from "./test-server";

/** Instance of a test, whose lease lasts until the test ends it. */
export interface TestInstance {
	readonly id: string;
	openWorkspace(id: string): Promise<WorkspaceStore>;
	deleteWorkspace(id: string): Promise<void>;
	listInterrupted(): Promise<readonly string[]>;
	/** Ends its lease, as when the instance says nothing for too long. */
	expire(): Promise<void>;
	/** Sets which of its statements fail from now on. Default: none. */
	setFaults(faultOf: (sql: string) => StatementFault): void;
}

/** Instances of one test on one database, which hear of each other. */
export interface TestInstances {
	add(): Promise<TestInstance>;
	/** Ends them. */
	close(): Promise<void>;
}

/** Starts a group of instances on a database. */
export async function startTestInstances(database: TestDatabase): Promise<TestInstances> {
	const session = await openInstanceSession(database.toUrl(APPLICATION), {
		id: "ins_bus",
		version: "0",
		databaseVersion: 0,
	});
	let count = 0;
	return {
		async add() {
			count += 1;
			return createInstance(database, session, `ins_${count}`);
		},
		close: () => session.close(),
	};
}

async function createInstance(
	database: TestDatabase,
	{ bus, readState }: Pick<InstanceSession, "bus" | "readState">,
	id: string,
): Promise<TestInstance> {
	const setLease = async (interval: string): Promise<void> => {
		const client = await database.pool.connect();
		await client.query(
			`insert into stemma_deployment.instances (id, version, lease_until) values ($1, '0', now() + $2::interval)
			on conflict (id) do update set lease_until = excluded.lease_until`,
			[id, interval],
		);
		client.release();
	};
	await setLease("1 hour");
	const pool = createFaultyPool(database.pool);
	const opener = createPostgresOpener(pool, { id, bus, readState });
	return {
		id,
		deleteWorkspace: opener.deleteWorkspace,
		listInterrupted: opener.listInterrupted,
		openWorkspace: (workspace) =>
			opener.openWorkspace({ id: workspace, isKnown: false, onDamage: () => undefined }),
		expire: () => setLease("-1 second"),
		setFaults(faultOf) {
			pool.faultOf = faultOf;
		},
	};
}
