import type { ChatTool, ChatToolChoice } from "@stemma/core";
import { isJsonObject, quote } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import { createUnsupportedError } from "./unsupported-fields";

/**
 * OpenAI's `tool_choice`.
 *
 * @throws DomainError `unsupported_parameter` for a form of it that is not known, `invalid_request` for a call of what is
 * not offered.
 */
export function toToolChoice(choice: unknown, tools: readonly ChatTool[]): ChatToolChoice {
	if (choice === undefined || choice === null || choice === "auto") return "auto";
	if (choice === "none") return "none";
	if (tools.length === 0) throw toolChoiceError("Without tools, none can be chosen.", "Offer `tools`.");
	if (choice === "required") return "required";
	const name =
		isJsonObject(choice) && choice.type === "function" && isJsonObject(choice.function)
			? choice.function.name
			: undefined;
	if (typeof name !== "string")
		throw createUnsupportedError(
			"tool_choice",
			'`tool_choice` is "auto", "none", "required" or {"type": "function", "function": {"name": …}}.',
		);
	if (tools.some((tool) => tool.name === name)) return { name };
	throw toolChoiceError(`There is no tool ${quote(name)}.`, "Name one of `tools`.");
}

const toolChoiceError = (message: string, hint: string): DomainError =>
	new DomainError("invalid_request", message, { param: "tool_choice", hint });
