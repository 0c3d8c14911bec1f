import type { JsonObject } from "@stemma/core";
import { isJsonObject, parseJson } from "@stemma/core/internal";
import type { Callee } from "../graph/compiled-graph";

/** Checks whether a callee is a tool, whose arguments are an object; other callees take one text. */
export const isToolCallee = ({ node }: Callee): boolean => node.definition.kind === "tool";

/**
 * Parses the arguments of a model's call. A tool takes any object, other callees take one text; `undefined` for
 * anything else.
 */
export function parseArguments(text: string, callee: Callee): JsonObject | undefined {
	// Some models say nothing where there is nothing to say.
	const parsed = parseJson(text.trim() === "" ? "{}" : text);
	if (!isJsonObject(parsed)) return undefined;
	if (isToolCallee(callee)) return parsed;
	return typeof parsed.input === "string" ? { input: parsed.input } : undefined;
}
