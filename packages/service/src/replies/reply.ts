import type { ChatEvent, ChatReply, Citation, JsonObject, ReceiptRow, RunUsage } from "@stemma/core";

/** Part of the answer of an agent or of knowledge bases beside its text. */
export interface AnswerDetails {
	/** Passages that the text cites. */
	readonly citations: readonly Citation[];
	/** All calls that were made; none for callers that do not see who pays. */
	readonly receipt: readonly ReceiptRow[];
	readonly usage: RunUsage;
	/** Other fields of `stemma` in the response: `run_id`, `refused`. */
	readonly fields: JsonObject;
}

/** Reply to a request of a chat protocol: of a model, an agent or knowledge bases. */
export interface ResponderReply extends ChatReply {
	/** Left out for a model's own reply. */
	readonly answer?: AnswerDetails;
}

/**
 * Event of a reply. `start`: the request was accepted, and the first text may take its time. `text.reset`: the text so far is
 * not the answer after all.
 */
export type ReplyEvent =
	| { readonly type: "start" }
	| Exclude<ChatEvent, { readonly type: "finish" }>
	| { readonly type: "text.reset" }
	| { readonly type: "finish"; readonly reply: ResponderReply };

/** Source of the reply to one request. What is sent of it goes through `presentReply`. */
export interface Responder {
	/** Name of the model in responses. */
	readonly model: string;
	/** True where the caller may see who answers and who pays. */
	readonly canSeeReceipt: boolean;
	/** Id under which the receipt of a model's reply is kept. */
	readonly receiptId?: string;
	/** Waits for the whole reply. @throws An error as the caller sees it. */
	generate(): Promise<ResponderReply>;
	/**
	 * Streams the reply up to its `finish`, when its receipts are on the disk. It ends without one where the service stops.
	 *
	 * @throws An error as the caller sees it.
	 */
	stream(): AsyncGenerator<ReplyEvent>;
}
