import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { Callee } from "../graph/compiled-graph";

/** Checks whether a callee is a tool, whose arguments are an object; other callees take one text. */
export const isToolCallee = ({ node }: Callee): boolean => node.definition.kind === "tool";

/**
 * Parses the arguments of a model's call. A tool takes any object, other callees take one text; `undefined` for
 * anything else.
 */
export function parseArguments(text: string, callee: Callee): JsonObject | undefined {
	const parsed = parseObject(text);
	if (parsed === undefined || isToolCallee(callee)) return parsed;
	return typeof parsed.input === "string" ? { input: parsed.input } : undefined;
}

/** Some models say nothing where there is nothing to say. */
function parseObject(text: string): JsonObject | undefined {
	try {
		const parsed: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
		// What JSON.parse gives is JSON.
		return isJsonObject(parsed) ? (parsed as JsonObject) : undefined;
	} catch {
		return undefined;
	}
}
