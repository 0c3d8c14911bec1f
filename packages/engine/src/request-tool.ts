import type { Json, JsonObject, RunError } from "@stemma/core";
import type { PortCallOptions, ToolPort, ToolRequest } from "./ports";
import { toRunError } from "./to-run-error";
import { readToolOutput } from "./tool-output";

/** Whatever a tool throws is told to a model, which needs no more than this. */
const MOST_ERROR_CHARACTERS = 1000;

/**
 * Calls a tool; whatever happens ends in a value or an error. The tool gets arguments of its own, which it may change:
 * those of events and of the graph stay as they are.
 */
export async function requestTool(
	port: ToolPort,
	request: ToolRequest,
	options: PortCallOptions,
): Promise<{ readonly output: Json } | { readonly error: RunError }> {
	try {
		// They are JSON: a model wrote them, or they were copied when they came in.
		const own = JSON.parse(JSON.stringify(request.arguments)) as JsonObject;
		return { output: readToolOutput(await port.call({ ...request, arguments: own }, options), request.tool) };
	} catch (error) {
		return { error: shortenError(toRunError(error, "tool_failed")) };
	}
}

function shortenError({ hint, ...error }: RunError): RunError {
	return {
		...error,
		message: shorten(error.message),
		...(hint === undefined ? {} : { hint: shorten(hint) }),
	};
}

/** Not in the middle of a character, which vendors refuse. */
function shorten(text: string): string {
	if (text.length <= MOST_ERROR_CHARACTERS) return text;
	return `${text.slice(0, MOST_ERROR_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
