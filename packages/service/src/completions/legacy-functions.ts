import { DomainError } from "../errors/domain-error";
import type { CompletionRequest } from "./completion-request";

type WireMessage = CompletionRequest["messages"][number];

/** A message of a request without `functions`. */
export type ToolMessage = Exclude<WireMessage, { readonly role: "function" }>;

/** A request without `functions`. */
export type ToolRequest = Omit<CompletionRequest, "messages" | "functions" | "function_call"> & {
	readonly messages: readonly ToolMessage[];
};

/** Checks whether a request offers `functions`, which came before `tools`, and wants its answer in that form. */
export const isLegacy = ({ functions }: CompletionRequest): boolean => (functions?.length ?? 0) > 0;

/**
 * Translates a request with functions into one with `tools`, `tool_choice` and messages of tools. A reply in the old form
 * has room for one call, so only one is allowed.
 *
 * @throws DomainError 400 `invalid_request` for a mixture of both forms
 */
export function fromLegacyRequest(request: CompletionRequest): ToolRequest {
	assertSingleForm(request);
	const { functions, function_call: choice, messages, ...rest } = request;
	return {
		...rest,
		messages: toToolMessages(messages),
		...(isLegacy(request) && {
			tools: functions?.map((offered) => ({ type: "function" as const, function: offered })),
			tool_choice: typeof choice === "object" ? choice && { type: "function", function: choice } : choice,
			parallel_tool_calls: false,
		}),
	};
}

function assertSingleForm(request: CompletionRequest): void {
	const { tools, tool_choice, function_call } = request;
	if (isLegacy(request) && (tools?.length ?? 0) > 0)
		throw createFormError(
			"functions",
			"Functions and tools cannot be offered together.",
			"Offer all of them as `tools`.",
		);
	if (isLegacy(request) && tool_choice != null)
		throw createFormError(
			"tool_choice",
			"`tool_choice` does not apply to `functions`.",
			"Send `function_call` instead.",
		);
	if (!isLegacy(request) && typeof function_call === "object" && function_call !== null)
		throw createFormError(
			"function_call",
			"`function_call` names a function, but there are no `functions`.",
			"Offer `functions`, or send `tools` with `tool_choice`.",
		);
}

const createFormError = (param: string, message: string, hint: string): DomainError =>
	new DomainError("invalid_request", message, { param, hint });

/** Calls of functions have no ids: a result answers the last call before it. */
function toToolMessages(messages: readonly WireMessage[]): ToolMessage[] {
	let lastId = "";
	return messages.map((message, index): ToolMessage => {
		if (message.role === "function")
			return { role: "tool", tool_call_id: lastId, content: message.content ?? "" };
		if (message.role !== "assistant" || message.function_call == null) return message;
		const { function_call, ...rest } = message;
		lastId = `call_${index}`;
		return { ...rest, tool_calls: [{ id: lastId, type: "function", function: function_call }] };
	});
}
