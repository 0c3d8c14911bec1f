import type { ChatMessage, ChatReply, ChatToolCall } from "@stemma/core";
import type { Fields } from "../http/lenient-json";
import { toAssistantParts } from "./to-assistant-parts";

type AssistantMessage = ChatMessage & { readonly role: "assistant" };

/**
 * Cache of a model's turns with calls, part by part. With the answers to their calls, many vendors want data back that
 * a `ChatMessage` has no field for: reasoning and its signatures, ids, results of their own tools.
 */
export interface TurnCache {
	set(reply: ChatReply, content: readonly Fields[]): void;
	/** The parts of a message, if it is a turn as it was given: with the very call objects, and the same text. */
	get(message: AssistantMessage): readonly object[] | undefined;
}

interface Turn {
	readonly text: string;
	readonly toolCalls: readonly ChatToolCall[];
	readonly parts: readonly object[];
}

/** Turns are forgotten with their calls. */
export function createTurnCache(): TurnCache {
	const turns = new WeakMap<ChatToolCall, Turn>();
	return {
		set({ text, toolCalls }, content) {
			const [call] = toolCalls;
			if (call !== undefined) turns.set(call, { text, toolCalls, parts: toAssistantParts(content) });
		},
		get({ content, toolCalls = [] }) {
			const [call] = toolCalls;
			const turn = call && turns.get(call);
			const isSame =
				turn?.text === content &&
				turn.toolCalls.length === toolCalls.length &&
				toolCalls.every((other, index) => other === turn.toolCalls[index]);
			return isSame ? turn.parts : undefined;
		},
	};
}
