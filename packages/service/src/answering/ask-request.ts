import type { AskEvent, AskRequest } from "@stemma/client";

/** A question that was read, and whose knowledge bases are chosen. */
export interface ResolvedAskRequest extends Omit<AskRequest, "history"> {
	readonly knowledge_base_ids: readonly string[];
	/** Oldest first, each message as text. */
	readonly history?: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

/** An event of an answer without its number. */
export type AskProgress = AskEvent extends infer Event
	? Event extends { readonly type: "ask.passages" | "text.delta" | "text.reset" }
		? Omit<Event, "seq">
		: never
	: never;
