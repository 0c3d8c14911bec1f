import type { Citation, ConversationMessage, JsonObject, ReceiptRow, RunError, RunUsage } from "@stemma/core";
import type { FoundPassage } from "./knowledge/search";
import type { Regeneration, ThreadPlace, ThreadReference } from "./thread";

/** Body of `POST /v1/ask`. */
export interface AskRequest extends ThreadPlace {
	/** 1 to 10,000 characters. */
	readonly question: string;
	/**
	 * 1 to 100. Default: all that the credential may read, the 100 oldest at most; a client key's are those that it was
	 * created with. With exactly one of them, its model settings apply.
	 */
	readonly knowledge_base_ids?: readonly string[];
	/** The conversation before, oldest first. Not together with `thread_id`. */
	readonly history?: readonly HistoryMessage[];
	/** Client keys may not choose one. */
	readonly model?: { readonly provider?: string; readonly model?: string };
	/** 1 to 50; default 8. */
	readonly top_k?: number;
	/** 0 to 1; only where a scoring stage runs, else 422 `min_score_unavailable`. */
	readonly min_score?: number;
	/** Metadata values that a document must have to be searched. */
	readonly filter?: JsonObject;
	/**
	 * True: the service keeps question, passages and answer, so that the answer can be rated by its `answer_id`. Default
	 * false: nothing of them is kept.
	 */
	readonly store?: boolean;
}

/** Body of `POST /v1/ask` that answers a message of a thread again. */
export interface AskRegeneration
	extends Omit<AskRequest, "question" | "history" | keyof ThreadPlace>,
		Regeneration {}

/** One message, as in the conversation of a run: its content is text or text parts. */
export type HistoryMessage = ConversationMessage;

/** An answer with its sources and its bill. */
export interface Answer extends ThreadReference {
	readonly answer: string;
	/** `ans_…`, where it was asked for with `store: true`. */
	readonly answer_id?: string;
	/** Lets a client key rate the answer; there with `answer_id`. */
	readonly answer_token?: string;
	readonly citations: readonly Citation[];
	/** Numbers that the model cited although no passage has them: the answer was rid of them. Left out where there are none. */
	readonly unknown_citations?: readonly number[];
	/** All that the model was given, best first. */
	readonly passages: readonly FoundPassage[];
	/** Empty for client keys. */
	readonly receipt: readonly ReceiptRow[];
	readonly usage: RunUsage;
	/** True where no knowledge base was named, and there are more than the 100 that were searched. */
	readonly more_knowledge_bases?: boolean;
	/**
	 * Reason why the question was refused, as the answer says, too. `no_relevant_passages`: nothing that was found fits it,
	 * and no model was asked to answer. `no_answer_in_passages`: the model read what was found, and it does not answer.
	 */
	readonly refused?: "no_relevant_passages" | "no_answer_in_passages";
	/**
	 * Things that the model did against its instructions; left out where there are none. `no_citations`: it cited no passage, so
	 * that nothing shows where the answer is from. `other_language`: it is not in the language of the question.
	 * `instructions_removed`: it repeated its instructions, which were taken out.
	 */
	readonly warnings?: readonly ("no_citations" | "other_language" | "instructions_removed")[];
}

/** Event of a streamed answer; the last is `ask.completed` or `ask.failed`. */
export type AskEvent =
	| { readonly type: "ask.passages"; readonly seq: number; readonly passages: readonly FoundPassage[] }
	| { readonly type: "text.delta"; readonly seq: number; readonly text: string }
	/** The text so far is not the answer after all. */
	| { readonly type: "text.reset"; readonly seq: number }
	| { readonly type: "ask.completed"; readonly seq: number; readonly answer: Answer }
	| { readonly type: "ask.failed"; readonly seq: number; readonly error: RunError };
