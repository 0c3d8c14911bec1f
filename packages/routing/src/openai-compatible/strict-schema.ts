import { isJsonObject } from "@stemma/core/internal";

/** What OpenAI's strict mode reads; a schema with anything else is sent without the promise. */
const KEYWORDS = new Set(
	"type properties required additionalProperties items enum const anyOf description title $ref $defs".split(
		" ",
	),
);

/** Whether strict mode takes the schema: every object is closed and requires all of its properties. */
export function isStrictSchema(schema: unknown): boolean {
	if (!isJsonObject(schema) || Object.keys(schema).some((key) => !KEYWORDS.has(key))) return false;
	if (schema.type === "object" && !isClosed(schema)) return false;
	return innerSchemas(schema).every(isStrictSchema);
}

function isClosed({
	properties,
	required,
	additionalProperties,
}: {
	readonly [key: string]: unknown;
}): boolean {
	if (!isJsonObject(properties) || !Array.isArray(required)) return false;
	return additionalProperties === false && Object.keys(properties).every((name) => required.includes(name));
}

const innerSchemas = ({
	properties,
	$defs,
	items,
	anyOf,
}: {
	readonly [key: string]: unknown;
}): unknown[] => [
	...Object.values(properties ?? {}),
	...Object.values($defs ?? {}),
	...(items === undefined ? [] : [items]),
	...(Array.isArray(anyOf) ? anyOf : []),
];
