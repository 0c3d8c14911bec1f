import {
	findPostgres,
	type PostgresServer,
	startPostgresServer,
} from "@stemma/simulators/postgres/postgres-server";
import type { TestProject } from "vitest/node";
import { openPostgresSession } from "../connection/postgres-pool";
import { migratePostgres } from "../migrate-postgres";
import { APPLICATION, OWNER, TEMPLATE, type TestServer } from "./test-server";

/** Starts one server for all test files of the project, with a migrated database as their template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const bin = findPostgres();
	if (bin === undefined) {
		project.provide("postgres", {
			isRunning: false,
			reason: "skipped: there is no Postgres from version 15 here; install postgresql or set POSTGRES_BIN",
		});
		return async () => undefined;
	}
	const server = await startPostgresServer(bin);
	try {
		project.provide("postgres", await createTemplate(server));
	} catch (error) {
		await server.stop();
		throw error;
	}
	return () => server.stop();
}

async function createTemplate(server: PostgresServer): Promise<TestServer> {
	const admin = await openPostgresSession(server.toUrl("postgres", "postgres"));
	await admin.query(`create role ${OWNER} login; create role ${APPLICATION} login`);
	await admin.query(`create database ${TEMPLATE} owner ${OWNER}`);
	const { rows: vectors } = await admin.query("select 1 from pg_available_extensions where name = 'vector'");
	await admin.close();
	const hasVectors = vectors.length > 0;
	if (hasVectors) {
		const superuser = await openPostgresSession(server.toUrl("postgres", TEMPLATE));
		await superuser.query("create extension vector");
		await superuser.close();
	}
	const owner = await openPostgresSession(server.toUrl(OWNER, TEMPLATE));
	await migratePostgres(owner, APPLICATION);
	await owner.close();
	return { isRunning: true, hasVectors, url: server.toUrl("ROLE", "DATABASE") };
}
