import { toIndexText } from "@stemma/documents";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "../../database";
import { toVectorTables, VECTOR_SLOTS } from "../../sqlite/knowledge/search/vector-slots";
import { COPIED_TABLES, SEQUENCES } from "../../sqlite/transfer/exported-tables";
import type { Row } from "../../sqlite/transfer/row-lines";
import { openForReading, type SqliteFile } from "../../sqlite-file";
import type { WorkspaceTables } from "../../workspace-tables";
import { toRealArray } from "../connection/real-array";
import { collectWords } from "../knowledge/word-index/collected-words";
import type { NewPassageWords } from "../knowledge/word-index/segment-words";
import { insertWords } from "../knowledge/word-index/word-index";
import { ownRows } from "../own-rows-plugin";
import { readLastNumber } from "./copy-to-file";

type WorkspaceTransaction = Transaction<WorkspaceTables>;

/** Limits of one statement. */
const ROWS_PER_STATEMENT = 200;
const BYTES_PER_STATEMENT = 4 * 1024 * 1024;
const PASSAGES_PER_SEGMENT = 1_000;

/**
 * Copies a workspace's SQLite file of this version into the database, in one transaction, with its word indexes. Nobody else
 * may write meanwhile.
 */
export async function copyWorkspaceFromFile(
	{ write }: Pick<Database<WorkspaceTables>, "write">,
	workspaceId: string,
	path: string,
): Promise<void> {
	const file = openForReading(path);
	try {
		await write.transaction().execute(async (transaction) => {
			await transaction.insertInto("workspace_identity").values({ id: workspaceId }).execute();
			for (const table of COPIED_TABLES)
				for (const rows of iterateBatches(file, table)) await insertRows(transaction, table, rows);
			await indexPassages(transaction, file);
			await advanceCounters(transaction, file);
		});
	} finally {
		file.close();
	}
}

const VECTOR_TABLES = VECTOR_SLOTS.map((slot) => toVectorTables(slot).vectors as string);

/** A vector is stored with its knowledge base here. */
const toSelect = (table: string): string =>
	VECTOR_TABLES.includes(table)
		? `SELECT knowledge_base, ${table}.number, vector FROM ${table}
			JOIN passages ON passages.number = ${table}.number JOIN documents ON documents.number = passages.document`
		: `SELECT * FROM "${table}"`;

function* iterateBatches(file: SqliteFile, table: string): Generator<readonly Row[]> {
	let batch: Row[] = [];
	let bytes = 0;
	// The statement names the columns.
	for (const row of file.database.prepare(toSelect(table)).iterate() as Iterable<unknown> as Iterable<Row>) {
		batch.push(row);
		for (const value of Object.values(row))
			bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
		if (batch.length < ROWS_PER_STATEMENT && bytes < BYTES_PER_STATEMENT) continue;
		yield batch;
		batch = [];
		bytes = 0;
	}
	if (batch.length > 0) yield batch;
}

async function insertRows(
	transaction: WorkspaceTransaction,
	table: string,
	rows: readonly Row[],
): Promise<void> {
	const columns = Object.keys(rows[0] ?? {});
	const values = rows.map(
		(row) => sql`(${sql.join(columns.map((column) => toValue(table, column, row[column] ?? null)))})`,
	);
	await sql`
		INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
		VALUES ${sql.join(values)}`.execute(transaction);
}

function toValue(table: string, column: string, value: Row[string]): RawBuilder<unknown> {
	if (value instanceof Uint8Array && column === "vector") return sql`${toVector(value)}::real[]`;
	// The index is made from the passages.
	return table === "knowledge_bases" && column === "has_word_index" ? sql`0` : sql`${value}`;
}

/** The numbers begin at a multiple of their size only in a copy. */
const toVector = (bytes: Uint8Array): Buffer =>
	toRealArray([new Float32Array(Uint8Array.from(bytes).buffer)]);

interface PassageRow {
	readonly number: number;
	readonly knowledge_base: number;
	readonly title: string;
	readonly heading: string | null;
	readonly text: string;
}

const SELECT_PASSAGES =
	"SELECT passages.number, knowledge_base, title, heading, text FROM passages" +
	" JOIN documents ON documents.number = passages.document ORDER BY knowledge_base, passages.number";

/** Indexes the words of all passages, many of a knowledge base together. */
async function indexPassages(transaction: WorkspaceTransaction, file: SqliteFile): Promise<void> {
	let group: PassageRow[] = [];
	async function flush(): Promise<void> {
		const [first] = group;
		if (first === undefined) return;
		await insertWords(transaction, first.knowledge_base, await collectWords(group.map(toWords)));
		group = [];
	}
	for (const row of file.database
		.prepare(SELECT_PASSAGES)
		.iterate() as Iterable<unknown> as Iterable<PassageRow>) {
		const isNextBase = group[0] !== undefined && group[0].knowledge_base !== row.knowledge_base;
		if (isNextBase || group.length === PASSAGES_PER_SEGMENT) await flush();
		group.push(row);
	}
	await flush();
}

const toWords = ({ number, title, heading, text }: PassageRow): NewPassageWords => ({
	number,
	words: { title: toIndexText(title), heading: toIndexText(heading ?? ""), text: toIndexText(text) },
});

/** Lets the next numbers of all tables begin behind those of the workspace. */
async function advanceCounters(transaction: WorkspaceTransaction, file: SqliteFile): Promise<void> {
	const counters = new Map(
		file
			.prepare<{ readonly name: string; readonly seq: number }>(`SELECT name, seq FROM ${SEQUENCES}`)
			.all()
			.map(({ name, seq }) => [name, seq]),
	);
	const { rows: tables } = await sql<{ readonly name: string }>`
		SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
		WHERE c.relnamespace = current_schema()::regnamespace AND a.attname = 'number' AND a.attidentity <> ''`.execute(
		transaction,
	);
	for (const { name } of tables) {
		const last = Math.max(counters.get(name) ?? 0, await readLastNumber(transaction, name));
		await sql`
			SELECT setval(pg_get_serial_sequence(${name}, 'number'), greatest(${last}::bigint, (
				SELECT coalesce(max(number), 0) FROM ${sql.table(name)} WHERE ${ownRows(name)}
			)))`.execute(transaction);
	}
}
