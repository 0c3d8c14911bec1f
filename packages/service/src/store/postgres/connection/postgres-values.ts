/** Numbers of Postgres's types (`pg_type.oid`). */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const FLOAT4 = 700;
const FLOAT8 = 701;
const NUMERIC = 1700;
const TEXT_ARRAY = 1009;
const INT4_ARRAY = 1007;
const INT8_ARRAY = 1016;

const HEX_PREFIX = "\\x";

/** Plain bytes, as SQLite gives them: a `Buffer` of a pool would be another class. */
const parseBytes = (text: string): Uint8Array =>
	new Uint8Array(Buffer.from(text.slice(HEX_PREFIX.length), "hex"));

/** Values as the tables' types name them and as SQLite gives them: times and counts are numbers, conditions are 0 or 1. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
	[BOOL]: (text) => (text === "t" ? 1 : 0),
	[BYTEA]: parseBytes,
	[INT2]: Number,
	[INT4]: Number,
	[INT8]: Number,
	[FLOAT4]: Number,
	[FLOAT8]: Number,
	// Sums of counts.
	[NUMERIC]: Number,
	[TEXT_ARRAY]: parseArray,
	[INT4_ARRAY]: (text) => parseArray(text).map(Number),
	[INT8_ARRAY]: (text) => parseArray(text).map(Number),
};

const asText = (text: string): string => text;

/** Returns the parser of a type's text form; text for types that have none. */
export const getValueParser = (type: number): ((text: string) => unknown) => PARSERS[type] ?? asText;

/**
 * Parses an array of one dimension without nulls, such as `{a,"b c"}`.
 *
 * @see https://www.postgresql.org/docs/15/arrays.html#ARRAYS-IO
 */
export function parseArray(text: string): string[] {
	const items: string[] = [];
	const pattern = /"((?:[^"\\]|\\.)*)"|([^,{}]+)/gs;
	for (const [, quoted, plain = ""] of text.matchAll(pattern))
		items.push(quoted === undefined ? plain : quoted.replace(/\\(.)/gs, "$1"));
	return items;
}

const NUL = "\u0000";
const REPLACEMENT = "\ufffd";

/** Converts a value that is bound to a statement. Postgres stores no NUL characters in text: they become U+FFFD. */
export function toParameter(value: unknown): unknown {
	if (typeof value === "string") return value.replaceAll(NUL, REPLACEMENT);
	if (Array.isArray(value)) return value.map(toParameter);
	return value;
}
