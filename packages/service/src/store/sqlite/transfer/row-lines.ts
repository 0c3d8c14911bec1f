import type { JobFile } from "../../job-file";
import type { SqlValue } from "../../worker-threads/thread-protocol";

/** Row of a table, by the names of its columns. */
export type Row = Readonly<Record<string, SqlValue>>;

/** Encodes a row as a line of JSON. Bytes are an object with their base64. */
const toLine = (row: Row): string =>
	`${JSON.stringify(row, (_, value: unknown) =>
		value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value,
	)}\n`;

/**
 * Parses a line of {@link toLine}.
 *
 * @throws Error for a text that is no row.
 */
export function parseLine(line: string): Row {
	const value: unknown = JSON.parse(line);
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw new Error("A line is no object.");
	return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toSqlValue(field)]));
}

function toSqlValue(value: unknown): SqlValue {
	if (value === null || typeof value === "string" || typeof value === "number") return value;
	if (typeof value === "object" && "base64" in value && typeof value.base64 === "string")
		return new Uint8Array(Buffer.from(value.base64, "base64"));
	throw new Error("A field is neither text, number, bytes nor null.");
}

interface Column {
	readonly name: string;
	/** Position in the primary key from 1 on; 0 where it is not in it. */
	readonly pk: number;
}

/** Lists the columns of a table in a file. */
export const listColumns = (file: Pick<JobFile, "prepare">, table: string): readonly Column[] =>
	file.prepare<Column>("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid").all(table);

/**
 * Iterates over the rows of a table as lines of JSON, in the order of its primary key.
 *
 * @param where - condition with one parameter, as SQL.
 */
export function* iterateLines(
	file: Pick<JobFile, "prepare" | "database">,
	table: string,
	where?: { readonly condition: string; readonly parameter: string },
): Generator<string> {
	const key = listColumns(file, table)
		.filter(({ pk }) => pk > 0)
		.sort((a, b) => a.pk - b.pk)
		.map(({ name }) => `"${name}"`);
	const order = key.length > 0 ? key.join(", ") : "1";
	const condition = where === undefined ? "" : ` WHERE ${where.condition}`;
	const select = file.database.prepare(`SELECT * FROM "${table}"${condition} ORDER BY ${order}`);
	for (const row of select.iterate(...(where === undefined ? [] : [where.parameter]))) yield toLine(row);
}

/**
 * Prepares the insertion of rows into a table; columns that a row does not have get their default.
 *
 * @returns what inserts a row; it throws for a row with a column that the table does not have.
 */
export function openInsertion(file: Pick<JobFile, "prepare">, table: string): (row: Row) => void {
	const known = new Set(listColumns(file, table).map(({ name }) => name));
	return (row) => {
		const names = Object.keys(row);
		const unknown = names.find((name) => !known.has(name));
		if (names.length === 0 || unknown !== undefined)
			throw new Error(`A row of ${table} has the unknown column ${JSON.stringify(unknown)}.`);
		const columns = names.map((name) => `"${name}"`).join(", ");
		file
			.prepare(`INSERT INTO "${table}" (${columns}) VALUES (${names.map(() => "?").join(", ")})`)
			.run(...Object.values(row));
	};
}
