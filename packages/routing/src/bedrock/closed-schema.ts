import { isJsonObject } from "@stemma/core/internal";
import { asList } from "../http/lenient-json";

/**
 * Keywords of a schema that constrained decoding supports (Bedrock user guide, "Get validated JSON results from
 * models").
 */
const KEYWORDS =
	/^(\$schema|type|properties|required|additionalProperties|items|enum|const|anyOf|allOf|description|title|format|default)$/;

/** Checks whether the vendor can hold a model to the schema: every object is closed, and every keyword is supported. */
export function isClosedSchema(schema: unknown): boolean {
	if (!isJsonObject(schema) || !Object.keys(schema).every((key) => KEYWORDS.test(key))) return false;
	const { type, properties, additionalProperties, items, anyOf, allOf } = schema;
	if (type === "object" && (additionalProperties !== false || !isJsonObject(properties))) return false;
	const inner = [
		...Object.values(properties ?? {}),
		...(items === undefined ? [] : [items]),
		...asList(anyOf),
		...asList(allOf),
	];
	return inner.every(isClosedSchema);
}
