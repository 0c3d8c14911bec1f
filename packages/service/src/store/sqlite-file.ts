import { DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { JobFile, Statement } from "./job-file";
import { assertHasTables, FileVersionError, migrate, readVersion } from "./migrate";
import type { ThreadFailure } from "./storage-error";
import { loadVectorFunctions } from "./vector-functions";
import type { ExecuteResult, SqlValue } from "./worker-threads/thread-protocol";

/** A SQLite file that this thread has open. Everything blocks. */
export interface SqliteFile {
	readonly database: DatabaseSync;
	/** Prepared statements are kept: preparing takes longer than most statements do. */
	prepare: JobFile["prepare"];
	execute(sql: string, parameters: readonly SqlValue[]): ExecuteResult;
	close(): void;
}

const MAX_STATEMENTS = 200;
const BUSY_TIMEOUT_MS = 10_000;

/** Opens a file for reading; it must be there. */
export function openForReading(file: string): SqliteFile {
	return open(file, { readOnly: true }, (database) => database.exec("PRAGMA temp_store = MEMORY"));
}

/**
 * Opens a file to look through it, and changes nothing in its folder.
 *
 * @param isImmutable - nobody has the file open, and it has no log: then none is made beside it.
 */
export function openForChecking(file: string, isImmutable: boolean): SqliteFile {
	const url = pathToFileURL(file);
	if (isImmutable) url.searchParams.set("immutable", "1");
	return open(url, { readOnly: true }, (database) => database.exec("PRAGMA temp_store = MEMORY"));
}

/** Opens a file for reading and searching, also by vectors where this platform supports them. */
export function openForSearching(file: string): SqliteFile {
	return open(file, { readOnly: true, allowExtension: true }, (database) => {
		// 8 MB: the codes of a knowledge base and the vectors that are compared.
		database.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192");
		try {
			loadVectorFunctions(database);
		} catch {
			// Words alone need none of them, and a service with an embedding model has not started without.
		}
	});
}

/**
 * Opens a file for writing, makes it where there is none, and brings its tables up to date.
 *
 * @param migrations - see `migrate`.
 * @param mustExist - refuses a file without tables. Default false.
 */
export function openForWriting(file: string, migrations: readonly string[], mustExist = false): SqliteFile {
	return open(file, {}, (database) => {
		if (mustExist) assertHasTables(database);
		// Before the first table: it cannot be changed later, and would be written. Deleted uploads give their space back.
		if (readVersion(database) === 0) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
		database.exec("PRAGMA journal_mode = WAL");
		database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY");
		migrate(database, migrations);
	});
}

function open(
	file: string | URL,
	options: { readonly readOnly?: boolean; readonly allowExtension?: boolean },
	configure: (database: DatabaseSync) => void,
): SqliteFile {
	const database = new DatabaseSync(file, { ...options, timeout: BUSY_TIMEOUT_MS });
	try {
		configure(database);
	} catch (error) {
		database.close();
		throw error;
	}
	return toSqliteFile(database);
}

/** Opened database with its statements prepared once. */
export function toSqliteFile(database: DatabaseSync): SqliteFile {
	const statements = new Map<string, StatementSync>();

	function prepareStatement(sql: string): StatementSync {
		const known = statements.get(sql);
		if (known !== undefined) return known;
		if (statements.size >= MAX_STATEMENTS) statements.clear();
		const statement = database.prepare(sql);
		statements.set(sql, statement);
		return statement;
	}

	return {
		database,
		// The SQL names the columns of its rows, and whoever writes it knows them.
		prepare: <Row>(sql: string) => prepareStatement(sql) as unknown as Statement<Row>,
		execute(sql, parameters) {
			// A full disk has rolled back by itself.
			if (sql === "ROLLBACK" && !database.isTransaction) return EMPTY_RESULT;
			const statement = prepareStatement(sql);
			// A statement with columns gives rows: a SELECT, or anything with RETURNING.
			if (statement.columns().length > 0) {
				const rows = statement.all(...parameters);
				return { rows, changes: rows.length, insertId: undefined };
			}
			const { changes, lastInsertRowid } = statement.run(...parameters);
			return { rows: [], changes: Number(changes), insertId: BigInt(lastInsertRowid) };
		},
		close: () => database.close(),
	};
}

/**
 * Lists what SQLite finds wrong with a file; nothing where it is sound.
 *
 * @param isQuick - true looks at the structure alone, not at whether indexes and tables say the same.
 */
export function listDamage(file: SqliteFile, isQuick: boolean, maxFindings: number): readonly string[] {
	const pragma = isQuick ? "quick_check" : "integrity_check";
	return file
		.prepare(`PRAGMA ${pragma}(${maxFindings})`)
		.all()
		.map((row) => String(row[pragma]))
		.filter((finding) => finding !== "ok");
}

const EMPTY_RESULT: ExecuteResult = { rows: [], changes: 0, insertId: undefined };

/** An error of SQLite, by its parts. */
export function toThreadFailure(error: unknown): ThreadFailure {
	if (!(error instanceof Error)) return { message: String(error), sqliteCode: 0 };
	const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
	return {
		message: error.message,
		// The low byte is the primary code, the rest says more about it.
		sqliteCode: code & 0xff,
		...(error.stack && { stack: error.stack }),
		...(error instanceof FileVersionError && { details: error.details }),
	};
}
