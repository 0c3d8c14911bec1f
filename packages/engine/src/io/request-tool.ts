import type { Json, RunError } from "@stemma/core";
import { cloneJson } from "@stemma/core/internal";
import { type OutputSource, readOutput } from "./port-output";
import type { PortCallOptions, ToolPort, ToolRequest } from "./ports";
import { shortenError } from "./shorten-error";
import { toRunError } from "./to-run-error";

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
		const output = await port.call({ ...request, arguments: cloneJson(request.arguments) }, options);
		return { output: readToolOutput(output, request) };
	} catch (error) {
		return { error: shortenError(toRunError(error, "tool_failed")) };
	}
}

/**
 * Copies what a tool returned as the engine takes it: as JSON. For hosts that store results before the engine sees them.
 *
 * @throws ConfigurationError `tool_result_invalid` or `tool_result_too_large`.
 */
export const readToolOutput = (output: unknown, request: ToolRequest): Json =>
	readOutput(output, toSource(request));

const toSource = ({ tool, server }: ToolRequest): OutputSource => ({
	code: "tool",
	action: `The tool "${tool}" was carried out`,
	formatHint: `Do not call it again to see the result. ${server === undefined ? "Its code" : "Its server"} has to give text, or plain data.`,
	sizeHint: `Do not repeat the same call. ${server === undefined ? "Its code has to give" : "Ask it for"} less: a part, a page or a summary.`,
});
