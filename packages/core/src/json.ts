/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; its values may be nested to any depth that {@link Json} allows. */
export interface JsonObject {
	readonly [key: string]: Json;
}

/** A JSON Schema (draft 2020-12) as a plain object, as `agent.schema.json` and tool schemas use it. */
export type JsonSchema = JsonObject;

/**
 * True for a plain or JSON-parsed object; false for arrays and `null`. What such an object holds is known only of a value
 * that is known to be JSON.
 */
export function isJsonObject(value: Json | undefined): value is JsonObject;
export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown };
export function isJsonObject(value: unknown): boolean {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; `undefined` for a text that is not JSON. */
export function parseJson(text: string): Json | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A deep copy, which may be changed. */
export function cloneJson<Value extends Json>(value: Value): Value;
export function cloneJson(value: Json): Json {
	if (Array.isArray(value)) return value.map(cloneJson);
	if (!isJsonObject(value)) return value;
	// Spread keeps a key `__proto__` a key; setting it is safe once it is one.
	const copy: Record<string, Json> = { ...value };
	for (const key of Object.keys(copy)) copy[key] = cloneJson(copy[key] ?? null);
	return copy;
}

/** A copy without the fields that are `undefined`. */
export const omitUndefined = <Fields extends object>(fields: Fields): Defined<Fields> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
