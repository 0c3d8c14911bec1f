import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { type CheckContext, listDocuments } from "./check.ts";
import type { Ledger } from "./ledger.ts";

/** Far longer than it ever takes: a machine may be busy. */
const READY_TIMEOUT_MS = 120_000;

/** The queue goes on by itself until all documents are ready. */
export async function waitUntilReady(context: CheckContext): Promise<void> {
	for (const end = Date.now() + READY_TIMEOUT_MS; Date.now() < end; await wait(50)) {
		const documents = await listDocuments(context);
		expect(documents.filter(({ status }) => status === "failed")).toEqual([]);
		if (documents.every(({ status }) => status === "ready")) return;
	}
	throw new Error(`Documents are still waiting to be read after ${READY_TIMEOUT_MS} ms.`);
}

/** Each document is found by its word exactly once, and by no word that it had before. */
export async function checkContent(context: CheckContext, { sources, unsourced }: Ledger): Promise<void> {
	for (const [source, { id, word, pending, old }] of sources) {
		const candidates = [...(word === undefined ? [] : [word]), ...pending];
		const found = (
			await Promise.all(candidates.map((candidate) => findDocuments(context, candidate)))
		).flat();
		const isSure = id !== undefined;
		expect(found.length, `${source}: ${candidates}`).toBeLessThanOrEqual(1);
		if (isSure) expect(found, `${source}: ${candidates}`).toEqual([id]);
		for (const absent of old)
			expect(await findDocuments(context, absent), `${source}: ${absent}`).toEqual([]);
	}
	for (const [word, { id, deletion }] of unsourced) {
		const found = await findDocuments(context, word);
		if (deletion === "acknowledged") expect(found, word).toEqual([]);
		else if (deletion === undefined && id !== undefined) expect(found, word).toEqual([id]);
		else expect(found.length, word).toBeLessThanOrEqual(1);
	}
}

/** The documents of all passages that have a word; search also finds words that differ in one letter. */
export async function findDocuments(
	{ api, knowledgeBase }: CheckContext,
	query: string,
): Promise<readonly string[]> {
	const { passages } = await api.post<{ passages: { document_id: string; text: string }[] }>("/v1/search", {
		query,
		knowledge_base_ids: [knowledgeBase],
	});
	return passages.filter(({ text }) => text.includes(query)).map(({ document_id }) => document_id);
}

/** All databases of a data folder. */
export function listDatabases(folder: string): readonly string[] {
	const workspaces = join(folder, "workspaces");
	const files = readdirSync(workspaces).filter((name) => name.endsWith(".sqlite"));
	return [join(folder, "deployment.sqlite"), ...files.map((name) => join(workspaces, name))];
}

/** What SQLite finds wrong with a file, and what does not fit together in a workspace. */
export function findDamage(file: string): readonly string[] {
	const database = new DatabaseSync(file);
	try {
		const damage = database.prepare("PRAGMA integrity_check").all();
		const loose = database.prepare("PRAGMA foreign_key_check").all();
		const isWorkspace =
			database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'passages'").get() !== undefined;
		return [
			...damage.map((row) => String(row.integrity_check)).filter((text) => text !== "ok"),
			...loose.map((row) => JSON.stringify(row)),
			...(isWorkspace ? findMiscounts(database) : []),
		];
	} finally {
		database.close();
	}
}

/** Documents whose passages are not all there, and passages that no document shows and nobody will sweep away. */
function findMiscounts(database: DatabaseSync): readonly string[] {
	const miscounted = database
		.prepare(
			"SELECT id, passage_count, (SELECT count(*) FROM passages WHERE document = documents.number" +
				" AND passages.number BETWEEN first_passage AND first_passage + passage_count - 1) AS shown" +
				" FROM documents WHERE status = 'ready' AND passage_count <> shown",
		)
		.all();
	const lost = database
		.prepare(
			"SELECT number FROM passages WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.number = passages.document" +
				" AND passages.number BETWEEN first_passage AND first_passage + passage_count - 1)" +
				" AND NOT EXISTS (SELECT 1 FROM passage_sweeps WHERE passages.number BETWEEN first AND last)",
		)
		.all();
	return [...miscounted, ...lost].map((row) => JSON.stringify(row));
}
