/** JSON Schema 2020-12, as far as the documents use it. */
export interface JsonSchema {
	readonly [keyword: string]: unknown;
}

/** Schemas by the name of their component. */
export type Schemas = { readonly [name: string]: JsonSchema };

/** Prefix of a reference to a schema of the document. */
export const SCHEMA_REFERENCE = "#/components/schemas/";

export const refer = (name: string): JsonSchema => ({ $ref: SCHEMA_REFERENCE + name });

/** Rewrites each `$ref` within a value. */
export function mapReferences<Value>(value: Value, map: (reference: string) => string): Value {
	if (Array.isArray(value)) return value.map((item) => mapReferences(item, map)) as Value;
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [
			name,
			name === "$ref" && typeof part === "string" ? map(part) : mapReferences(part, map),
		]),
	) as Value;
}

/** Sorts the members of a record by name, so that a document changes only where its content does. */
export const sortByName = <Value>(record: { readonly [name: string]: Value }): { [name: string]: Value } =>
	Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
