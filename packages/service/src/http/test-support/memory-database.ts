import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Database } from "../../store/database";
import { createThreadDialect, type Execute } from "../../store/thread-dialect";
import type { SqlRow } from "../../store/thread-protocol";
import { createTurnGate } from "../../store/turn-gate";

/** A database in memory and in this thread: the threads of the real one exist only where they were built. */
export function openMemoryDatabase<Tables>(migrations: readonly string[]): Database<Tables> {
	const database = new DatabaseSync(":memory:");
	database.exec("PRAGMA foreign_keys = ON");
	for (const step of migrations) database.exec(step);
	const execute: Execute = async (sql, parameters) => {
		const statement = database.prepare(sql);
		if (statement.columns().length > 0) {
			const rows = statement.all(...parameters) as SqlRow[];
			return { rows, changes: rows.length, insertId: undefined };
		}
		const { changes, lastInsertRowid } = statement.run(...parameters);
		return { rows: [], changes: Number(changes), insertId: BigInt(lastInsertRowid) };
	};
	const queries = new Kysely<Tables>({ dialect: createThreadDialect(execute, createTurnGate()) });
	const noJobs = () => Promise.reject(new Error("There are no jobs here."));
	return {
		read: queries,
		write: queries,
		readJob: noJobs,
		writeJob: noJobs,
		close: async () => database.close(),
	};
}
