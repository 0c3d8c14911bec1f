import { randomUUID } from "node:crypto";
import type { DatabaseConfiguration } from "../../configuration/configuration";
import { Secret } from "../../encryption/secret";
import { openPostgresSession, type PostgresSession } from "../../store/postgres/connection/postgres-pool";
import type { TestDatabase } from "../../store/postgres/test-support/describe-on-postgres";
import { APPLICATION, OWNER } from "../../store/postgres/test-support/test-server";

type Row = Readonly<Record<string, unknown>>;

/** Databases of one test beside its own, and the role that reads all rows. */
export interface PostgresFixture {
	/** Settings of the database of the test, with the role for backups. */
	readonly source: DatabaseConfiguration;
	/** Creates an empty database as the guide does. @returns its settings. */
	createEmpty(): Promise<DatabaseConfiguration>;
	/** Runs statements as the superuser. */
	administer(database: DatabaseConfiguration, sql: string): Promise<readonly Row[]>;
	/** Removes the databases and the role. */
	remove(): Promise<void>;
}

const toName = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;

export async function createPostgresFixture(database: TestDatabase): Promise<PostgresFixture> {
	const reader = toName("reader");
	const names: string[] = [];
	const toUrl = (role: string, name?: string): string => {
		const url = new URL(database.toUrl("postgres"));
		url.username = role;
		if (name !== undefined) url.pathname = `/${name}`;
		return url.href;
	};
	const toSettings = (name?: string): DatabaseConfiguration => ({
		url: new Secret(toUrl(APPLICATION, name)),
		ownerUrl: new Secret(toUrl(OWNER, name)),
		backupUrl: new Secret(toUrl(reader, name)),
		poolSize: 2,
	});
	const run = (url: string, sql: string): Promise<readonly Row[]> =>
		withSession(url, async ({ query }) => (await query(sql)).rows);
	await run(toUrl("postgres"), `create role ${reader} login bypassrls; grant pg_read_all_data to ${reader}`);
	return {
		source: toSettings(),
		async createEmpty() {
			const name = toName("restored");
			names.push(name);
			await run(toUrl("postgres", "postgres"), `create database ${name} owner ${OWNER} template template0`);
			await run(toUrl("postgres", name), CREATE_VECTORS);
			return toSettings(name);
		},
		administer({ url }, sql) {
			const name = new URL(url.reveal()).pathname.slice(1);
			return run(toUrl("postgres", name), sql);
		},
		async remove() {
			for (const name of names)
				await run(toUrl("postgres", "postgres"), `drop database ${name} with (force)`);
			await run(toUrl("postgres"), `drop role ${reader}`);
		},
	};
}

/** The extension, where the server has it. */
const CREATE_VECTORS = `
do $$ begin
	if exists (select from pg_available_extensions where name = 'vector') then
		create extension vector;
	end if;
end $$`;

async function withSession<Result>(url: string, work: (session: PostgresSession) => Promise<Result>) {
	const session = await openPostgresSession(url);
	try {
		return await work(session);
	} finally {
		await session.close();
	}
}
