import type { ChatRequest, JsonSchema } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";

/** Keywords that a schema of a text may have without a quotation breaking it. */
const ANNOTATION_KEYWORDS = new Set(["type", "title", "description", "examples", "default"]);

/**
 * Creates the function that writes the text of an answer where JSON is wanted: as the one text that the schema
 * requires; without a schema as `{"answer": …}`.
 *
 * @throws StemmaError `output_not_supported` for a schema that takes anything else.
 */
export function toOutputWriter({
	outputSchema: schema,
	output,
}: Pick<ChatRequest, "outputSchema" | "output">): (text: string) => string {
	if (schema === undefined)
		return output === undefined ? (text) => text : (answer) => JSON.stringify({ answer });
	if (isText(schema)) return (text) => JSON.stringify(text);
	const name = findTextProperty(schema);
	if (name !== undefined) return (text) => JSON.stringify({ [name]: text });
	throw new StemmaError("The built-in model only quotes and cannot fill in an output schema.", {
		code: "output_not_supported",
		hint: "Configure a model, or change the node's output schema so that it requires exactly one text property.",
	});
}

function findTextProperty({ type, required, properties }: JsonSchema): string | undefined {
	if (type !== undefined && type !== "object") return undefined;
	if (!Array.isArray(required) || required.length !== 1) return undefined;
	const [name] = required;
	if (typeof name !== "string" || !isJsonObject(properties)) return undefined;
	return Object.hasOwn(properties, name) && isText(properties[name]) ? name : undefined;
}

const isText = (schema: unknown): boolean =>
	isJsonObject(schema) &&
	schema.type === "string" &&
	Object.keys(schema).every((key) => ANNOTATION_KEYWORDS.has(key));
