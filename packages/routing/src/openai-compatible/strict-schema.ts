import { isJsonObject } from "@stemma/core/internal";
import { asList, asObject, type Fields } from "../http/lenient-json";

/** Keywords that OpenAI's strict mode supports. A schema with any other is sent without `strict`. */
const KEYWORDS =
	/^(type|properties|required|additionalProperties|items|enum|const|anyOf|description|title|\$ref|\$defs)$/;

/** Checks whether strict mode takes the schema: every object is closed and requires all of its properties. */
export function isStrictSchema(schema: unknown): boolean {
	if (!isJsonObject(schema) || !Object.keys(schema).every((key) => KEYWORDS.test(key))) return false;
	const { type, properties, $defs, items, anyOf } = schema;
	const named = [properties, $defs].map(asObject).flatMap((schemas) => Object.values(schemas));
	const inner = [...(items === undefined ? [] : [items]), ...asList(anyOf), ...named];
	const isObject = type === "object" || asList(type).includes("object") || properties !== undefined;
	return (!isObject || isClosed(schema)) && inner.every(isStrictSchema);
}

function isClosed({ properties, required, additionalProperties }: Fields): boolean {
	if (!isJsonObject(properties) || !Array.isArray(required) || additionalProperties !== false) return false;
	const names = new Set<unknown>(required);
	return Object.keys(properties).every((name) => names.has(name));
}
