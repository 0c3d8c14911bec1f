import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort } from "node:worker_threads";
import { jobs } from "./jobs";
import { migrate } from "./migrate";
import type { ExecuteResult, SqlRow, SqlValue, ThreadFailure, ThreadRequest } from "./thread-protocol";

/** A file that this thread has open. */
interface OpenFile {
	readonly database: DatabaseSync;
	/** By SQL text: preparing takes longer than most statements do. */
	readonly statements: Map<string, StatementSync>;
}

const MAX_STATEMENTS = 200;
const BUSY_TIMEOUT_MS = 10_000;

const files = new Map<string, OpenFile>();

function open(file: string, migrations: readonly string[], readOnly: boolean): void {
	if (files.has(file)) return;
	const database = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS });
	try {
		if (!readOnly) {
			// Before the first table: it cannot be changed later. Deleted uploads give their space back.
			database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
			database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
			migrate(database, migrations);
		}
		database.exec("PRAGMA temp_store = MEMORY");
	} catch (error) {
		database.close();
		throw error;
	}
	files.set(file, { database, statements: new Map() });
}

function demandFile(file: string): OpenFile {
	const found = files.get(file);
	if (found === undefined) throw new Error("The file is not open.");
	return found;
}

function prepare({ database, statements }: OpenFile, sql: string): StatementSync {
	const known = statements.get(sql);
	if (known !== undefined) return known;
	if (statements.size >= MAX_STATEMENTS) statements.clear();
	const statement = database.prepare(sql);
	statements.set(sql, statement);
	return statement;
}

const NOTHING: ExecuteResult = { rows: [], changes: 0, insertId: undefined };

function execute(file: OpenFile, sql: string, parameters: readonly SqlValue[]): ExecuteResult {
	// A full disk has rolled back by itself.
	if (sql === "ROLLBACK" && !file.database.isTransaction) return NOTHING;
	const statement = prepare(file, sql);
	// A statement with columns gives rows: a SELECT, or anything with RETURNING.
	if (statement.columns().length > 0) {
		const rows = statement.all(...parameters) as SqlRow[];
		return { rows, changes: rows.length, insertId: undefined };
	}
	const { changes, lastInsertRowid } = statement.run(...parameters);
	return { rows: [], changes: Number(changes), insertId: BigInt(lastInsertRowid) };
}

function close(file: string): void {
	files.get(file)?.database.close();
	files.delete(file);
}

function answer(request: ThreadRequest): unknown {
	if (request.type === "open") return open(request.file, request.migrations, request.readOnly);
	if (request.type === "close") return close(request.file);
	const file = demandFile(request.file);
	if (request.type === "execute") return execute(file, request.sql, request.parameters);
	const job = jobs[request.job];
	if (job === undefined) throw new Error(`There is no job "${request.job}".`);
	return job({ database: file.database, prepare: (sql) => prepare(file, sql) }, request.input);
}

function toFailure(error: unknown): ThreadFailure {
	if (!(error instanceof Error)) return { message: String(error), sqliteCode: 0 };
	const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
	// The low byte is the primary code, the rest says more about it.
	return { message: error.message, sqliteCode: code & 0xff, ...(error.stack && { stack: error.stack }) };
}

parentPort?.on("message", (request: ThreadRequest) => {
	try {
		parentPort?.postMessage({ call: request.call, value: answer(request) });
	} catch (error) {
		parentPort?.postMessage({ call: request.call, failure: toFailure(error) });
	}
});
