import { type RawBuilder, sql } from "kysely";
import type { WorkspaceTransaction } from "../workspace-transaction";
import { type ElementType, toBinaryArray } from "./binary-array";

/** Types of columns as Postgres names them. */
export type ColumnTypes<Column extends string> = Readonly<Record<Column, ElementType>>;

/** Rows as one array of Postgres a column. They can be sent to other threads. */
export type EncodedRows<Column extends string> = Readonly<Record<Column, Uint8Array>>;

/** Encodes rows as one array a column. */
export function encodeRows<Column extends string>(
	types: ColumnTypes<Column>,
	rows: readonly Readonly<Record<Column, unknown>>[],
): EncodedRows<Column> {
	const columns = getColumns(types).map((column): [Column, Uint8Array] => [
		column,
		toBinaryArray(
			types[column],
			rows.map((row) => row[column]),
		),
	]);
	// `Object.fromEntries` forgets which they are.
	return Object.fromEntries<Uint8Array>(columns) as Record<Column, Uint8Array>;
}

/**
 * Gives rows to a statement as one array a column: however many they are, the statement is short and has few parameters.
 *
 * @returns SQL that selects from them, as `rows` with the columns.
 */
export function selectEncoded<Column extends string>(
	types: ColumnTypes<Column>,
	rows: EncodedRows<Column>,
): RawBuilder<unknown> {
	const columns = getColumns(types);
	const arrays = columns.map((column) => sql`${rows[column]}::${sql.raw(types[column])}[]`);
	return sql`unnest(${sql.join(arrays)}) as rows (${sql.join(columns.map((column) => sql.ref(column)))})`;
}

/** Gives rows to a statement as {@link selectEncoded} does. */
export const toRowArrays = <Column extends string>(
	types: ColumnTypes<Column>,
	rows: readonly Readonly<Record<Column, unknown>>[],
): RawBuilder<unknown> => selectEncoded(types, encodeRows(types, rows));

/** `Object.keys` forgets which they are. */
const getColumns = <Column extends string>(types: ColumnTypes<Column>): Column[] =>
	Object.keys(types) as Column[];

/** Gives values to a statement as an array. */
export const toArray = (type: ElementType, values: readonly unknown[]): RawBuilder<unknown> =>
	sql`${toBinaryArray(type, values)}::${sql.raw(type)}[]`;

/** Inserts rows in their order, in one statement. */
export async function insertRows<Column extends string>(
	transaction: WorkspaceTransaction,
	table: string,
	types: ColumnTypes<Column>,
	rows: readonly Readonly<Record<Column, unknown>>[],
): Promise<void> {
	if (rows.length === 0) return;
	const columns = sql.join(Object.keys(types).map((column) => sql.ref(column)));
	await sql`insert into ${sql.table(table)} (${columns}) select * from ${toRowArrays(types, rows)}`.execute(
		transaction,
	);
}

/** Takes the next numbers of a table whose numbers are given by default. */
export async function takeNumbers(
	transaction: WorkspaceTransaction,
	table: string,
	count: number,
): Promise<readonly number[]> {
	const { rows } = await sql<{ readonly number: number }>`
		select nextval(pg_get_serial_sequence(${table}, 'number')) as number from generate_series(1, ${count})`.execute(
		transaction,
	);
	return rows.map(({ number }) => number);
}
