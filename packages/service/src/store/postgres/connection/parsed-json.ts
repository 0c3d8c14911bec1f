import { type RawBuilder, sql } from "kysely";

/**
 * Value of a column of JSON. `jsonb` refuses the escape of NUL, which is part of JSON: it becomes that of U+FFFD. An escaped
 * backslash before it is none, so those are put aside meanwhile, as a character that JSON never has as it is.
 *
 * @param column - with its table.
 */
export const parsedJson = (column: string): RawBuilder<unknown> => {
	const withoutBackslashes = sql`replace(${sql.ref(column)}, '\\\\', chr(1))`;
	return sql`replace(replace(${withoutBackslashes}, '\\u0000', '\\ufffd'), chr(1), '\\\\')::jsonb`;
};
