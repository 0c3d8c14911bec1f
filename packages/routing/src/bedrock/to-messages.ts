import type { ChatMessage, ChatToolCall } from "@stemma/core";
import { type Fields, parseObject } from "../http/lenient-json";
import type { Aliases } from "./aliases";

/** All that one side says until the other speaks: the vendor takes no two messages of one side in a row. */
export interface Turn {
	readonly role: "user" | "assistant";
	readonly content: Fields[];
}

export interface MessageSettings {
	readonly names: Aliases;
	readonly callIds: Aliases;
	/** True where a failed call may be marked as such. */
	readonly supportsToolStatus: boolean;
}

/** The vendor refuses blank text, and turns without any content. */
const EMPTY_BLOCK: Fields = { text: "(empty)" };

/** The conversation in turns, the user's first. */
export function toMessages(messages: readonly ChatMessage[], settings: MessageSettings): Turn[] {
	const turns: Turn[] = [];
	for (const message of messages) {
		const role = message.role === "assistant" ? "assistant" : "user";
		const blocks = toBlocks(message, settings);
		if (role === "assistant" && blocks.length === 0) continue;
		const last = turns.at(-1);
		if (last?.role === role) last.content.push(...blocks);
		else turns.push({ role, content: blocks });
	}
	if (turns[0]?.role !== "user") turns.unshift({ role: "user", content: [] });
	for (const { content } of turns) if (content.length === 0) content.push(EMPTY_BLOCK);
	return turns;
}

function toBlocks(message: ChatMessage, settings: MessageSettings): Fields[] {
	if (message.role === "user") return toText(message.content);
	if (message.role === "tool") return [{ toolResult: toToolResult(message, settings) }];
	const calls = message.toolCalls ?? [];
	// A text that ends in white space is refused where it is the last.
	return [...toText(message.content.trimEnd()), ...calls.map((call) => toToolUse(call, settings))];
}

export const toText = (text: string): Fields[] => (text.trim() === "" ? [] : [{ text }]);

function toToolResult(
	{ callId, content, isError }: ChatMessage & { role: "tool" },
	{ callIds, supportsToolStatus }: MessageSettings,
): Fields {
	const [block = EMPTY_BLOCK] = toText(content);
	return {
		toolUseId: callIds.toAlias(callId),
		content: [block],
		...(isError && supportsToolStatus && { status: "error" }),
	};
}

/** Arguments that are no object are refused; what was wrong with them stands in the answer to the call. */
function toToolUse(call: ChatToolCall, { names, callIds }: MessageSettings): Fields {
	const input = parseObject(call.arguments) ?? {};
	return { toolUse: { toolUseId: callIds.toAlias(call.id), name: names.toAlias(call.name), input } };
}
