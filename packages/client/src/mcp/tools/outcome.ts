import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { McpCallOptions, McpInputRequired, McpOutcome } from "../mcp-client";
import { McpError } from "../mcp-error";
import type { McpContent } from "../wire";

/**
 * The result of a call as it is given to the caller.
 *
 * @param callAgain - calls the tool again, with more params.
 * @throws McpError `unknown_result_type`
 */
export function toOutcome(
	{
		resultType = "complete",
		content,
		inputRequests = {},
		isError,
		requestState,
		structuredContent,
		_meta,
	}: JsonObject,
	callAgain: (params: object, options?: McpCallOptions) => Promise<McpOutcome>,
): McpOutcome {
	if (resultType === "input_required")
		return {
			status: "input_required",
			inputRequests: inputRequests as unknown as McpInputRequired["inputRequests"],
			// What is `undefined` does not go out.
			continue: (inputResponses, options) => callAgain({ inputResponses, requestState }, options),
		};
	if (resultType !== "complete")
		throw new McpError("The MCP server's result is of a type that this client does not know.", {
			code: "unknown_result_type",
			hint: "Update this package.",
		});
	return {
		status: "complete",
		content: (Array.isArray(content) ? content : []) as readonly McpContent[],
		isError: isError === true,
		...(structuredContent !== undefined && { structuredContent }),
		...(isJsonObject(_meta) && { _meta }),
	};
}
