import { createRequire } from "node:module";
import { findPostgres, startPostgresServer } from "@stemma/simulators/postgres/postgres-server";
import { readFamilyCpuMs } from "../service/process-family.mjs";

const { Client } = createRequire(new URL("../../../packages/service/package.json", import.meta.url))("pg");

/** As Postgres is by default, but for memory and statistics: what is confirmed is on the disk. */
const SETTINGS = {
	fsync: "on",
	full_page_writes: "on",
	autovacuum: "on",
	shared_buffers: "512MB",
	max_wal_size: "4GB",
	shared_preload_libraries: "pg_stat_statements",
	"pg_stat_statements.track": "top",
};
const OWNER = "stemma_owner";
const APPLICATION = "stemma_app";

/** Starts a Postgres server on this machine, as it is by default: with everything on the disk that it has confirmed. */
export async function startPostgres() {
	const bin = findPostgres();
	if (bin === undefined) throw new Error("There is no Postgres from version 15; set POSTGRES_BIN.");
	const server = await startPostgresServer(bin, SETTINGS);
	const admin = new Client({ connectionString: server.toUrl("postgres", "postgres") });
	await admin.connect();
	await admin.query(`create role ${OWNER} login; create role ${APPLICATION} login`);
	await admin.query("create extension pg_stat_statements");

	/** Creates an empty database. @returns the setting `database` of a service. */
	async function createDatabase(name) {
		await admin.query(`create database ${name} owner ${OWNER}`);
		const superuser = new Client({ connectionString: server.toUrl("postgres", name) });
		await superuser.connect();
		await superuser.query("create extension vector");
		await superuser.end();
		return { url: server.toUrl(APPLICATION, name), owner_url: server.toUrl(OWNER, name) };
	}

	return {
		createDatabase,
		/** Processor time of all of its processes so far, in milliseconds. */
		cpu: () => readFamilyCpuMs(server.pid),
		/**
		 * Statements of the service so far, but those that begin and end transactions and say whose they are.
		 *
		 * @param part - of the statements to count. Default: all.
		 */
		async statements(part = "") {
			const { rows } = await admin.query(
				`select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
				where userid = $1::regrole and query !~* '^(begin|set local|select set_config|commit)' and strpos(query, $2) > 0`,
				[APPLICATION, part],
			);
			return rows[0].calls;
		},
		/** Bytes of its log of changes (WAL) so far. */
		async walBytes() {
			const { rows } = await admin.query(
				"select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes",
			);
			return rows[0].bytes;
		},
		/** Number of connections of the service. */
		async connections() {
			const { rows } = await admin.query(
				"select count(*)::int as count from pg_stat_activity where usename = $1",
				[APPLICATION],
			);
			return rows[0].count;
		},
		/** Lists what took most time. */
		async slowest(limit = 25) {
			const { rows } = await admin.query(
				`select calls::int, total_exec_time::int as ms, (total_exec_time / calls * 1000)::int as us, left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as query
				from pg_stat_statements where userid = $1::regrole order by total_exec_time desc limit $2`,
				[APPLICATION, limit],
			);
			return rows;
		},
		reset: () => admin.query("select pg_stat_statements_reset()"),
		/** Bytes of a database on the disk. */
		async size(name) {
			const { rows } = await admin.query("select pg_database_size($1)::float8 as size", [name]);
			return rows[0].size;
		},
		async stop() {
			await admin.end();
			await server.stop();
		},
	};
}
