import type { ChatMessage, ChatRequest, ChatSettings } from "@stemma/core";
import type { TextMessage } from "../answering/ask-request";
import { createUnsupportedError } from "../completions/unsupported-fields";
import { DomainError } from "../errors/domain-error";

/** Part of a request that an agent or knowledge bases answer. */
export interface AnswerRequest {
	/** Oldest first; the last one is of the user. */
	readonly messages: readonly TextMessage[];
	readonly maxOutputTokens?: number;
}

/** Names of fields in one protocol, for errors. */
export interface FieldNames {
	readonly messages: string;
	readonly system: string;
	readonly tools: string;
	readonly output: string;
	readonly settings: { readonly [setting in keyof ChatSettings]-?: string };
}

/**
 * Reads a request as one to an agent or knowledge bases, which have instructions, tools and settings of their own.
 *
 * @throws DomainError `unsupported_parameter` for all that would change the answer and is not carried out.
 */
export function toAnswerRequest(request: ChatRequest, names: FieldNames): AnswerRequest {
	const { system, tools, output, outputSchema, settings, maxOutputTokens } = request;
	if (system !== undefined)
		throw createUnsupportedError(
			names.system,
			"Agents and knowledge bases have instructions of their own: they take none from a request.",
		);
	if (tools !== undefined)
		throw createUnsupportedError(
			names.tools,
			"Agents and knowledge bases call their own tools, and none of a request.",
		);
	if (output !== undefined || outputSchema !== undefined)
		throw createUnsupportedError(names.output, "The output of an agent is set in its graph.");
	const [setting] = Object.keys(settings ?? {}) as (keyof ChatSettings)[];
	if (setting !== undefined)
		throw createUnsupportedError(
			names.settings[setting],
			"Agents and knowledge bases take no settings of models.",
		);
	const messages = request.messages.map((message) => toTextMessage(message, names));
	if (messages.at(-1)?.role !== "user")
		throw new DomainError("invalid_request", "The last message has to be one of the user.", {
			param: names.messages,
		});
	return { messages, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
}

function toTextMessage(message: ChatMessage, names: FieldNames): TextMessage {
	if (message.role === "tool" || (message.role === "assistant" && message.toolCalls !== undefined))
		throw createUnsupportedError(names.messages, "Agents and knowledge bases take no calls of tools.");
	if (message.name !== undefined)
		throw createUnsupportedError(names.messages, "Agents and knowledge bases take no names of speakers.");
	return { role: message.role, content: message.content };
}
