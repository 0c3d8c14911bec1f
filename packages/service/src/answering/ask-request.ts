import type { AskEvent, AskRequest, ThreadPlace } from "@stemma/client";

/** Message of a conversation whose content is text. */
export interface TextMessage {
	readonly role: "user" | "assistant";
	readonly content: string;
}

/** A question that was read, and whose knowledge bases are chosen. */
export interface ResolvedAskRequest extends Omit<AskRequest, "history" | keyof ThreadPlace> {
	readonly knowledge_base_ids: readonly string[];
	/** Oldest first. */
	readonly history?: readonly TextMessage[];
}

/** An event of an answer without its number. */
export type AskProgress = AskEvent extends infer Event
	? Event extends { readonly type: "ask.passages" | "text.delta" | "text.reset" }
		? Omit<Event, "seq">
		: never
	: never;
