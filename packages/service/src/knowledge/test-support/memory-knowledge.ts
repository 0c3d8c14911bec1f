import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Database } from "../../store/database";
import type { JobFile } from "../../store/jobs";
import { createThreadDialect, type Execute } from "../../store/thread-dialect";
import type { SqlRow } from "../../store/thread-protocol";
import { createTurnGate } from "../../store/turn-gate";
import type { DocumentReader } from "../document-reader";
import { createKnowledge, type Knowledge } from "../knowledge";
import { knowledgeJobs } from "../knowledge-jobs";
import { type KnowledgeTables, knowledgeTablesSql } from "../knowledge-tables";
import { readDocument } from "../read-document";

/** The tables of a workspace in memory, in this thread: the real threads exist only where they were built. */
export function openKnowledgeDatabase(): Database<KnowledgeTables> & { readonly file: JobFile } {
	const database = new DatabaseSync(":memory:");
	database.exec("PRAGMA foreign_keys = ON");
	database.exec(knowledgeTablesSql);
	const execute: Execute = async (sql, parameters) => {
		const statement = database.prepare(sql);
		if (statement.columns().length > 0) {
			const rows = statement.all(...parameters) as SqlRow[];
			return { rows, changes: rows.length, insertId: undefined };
		}
		const { changes, lastInsertRowid } = statement.run(...parameters);
		return { rows: [], changes: Number(changes), insertId: BigInt(lastInsertRowid) };
	};
	const file: JobFile = { database, prepare: (sql) => database.prepare(sql) };
	const gate = createTurnGate();
	const queries = new Kysely<KnowledgeTables>({ dialect: createThreadDialect(execute, gate) });
	async function runJob<Result>(job: string, input: unknown): Promise<Result> {
		await gate.enter();
		try {
			// As the threads do it: the caller knows what the job gives, and copies go both ways.
			return structuredClone(knowledgeJobs[job]?.(file, structuredClone(input))) as Result;
		} finally {
			gate.leave();
		}
	}
	return {
		read: queries,
		write: queries,
		readJob: runJob,
		writeJob: runJob,
		close: async () => database.close(),
		file,
	};
}

/** Reads in this thread. */
export const readerHere: DocumentReader = {
	read: async (upload) => readDocument(upload),
	stop: async () => undefined,
};

/** Knowledge over a database, with its queue at work. */
export async function startKnowledge(
	database: Database<KnowledgeTables>,
	reader: DocumentReader = readerHere,
): Promise<Knowledge> {
	const knowledge = createKnowledge({ database, reader });
	await knowledge.start();
	return knowledge;
}
