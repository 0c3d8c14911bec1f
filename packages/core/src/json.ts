/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; its values may be nested to any depth that {@link Json} allows. */
export interface JsonObject {
	readonly [key: string]: Json;
}

/** A JSON Schema (draft 2020-12) as a plain object, as `agent.schema.json` and tool schemas use it. */
export type JsonSchema = JsonObject;

/** True for a plain or JSON-parsed object; false for arrays and `null`. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown } {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy without the fields that are `undefined`. */
export const omitUndefined = <Fields extends object>(fields: Fields): Defined<Fields> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
