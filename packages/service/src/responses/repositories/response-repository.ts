import type { JsonObject, RunError } from "@stemma/core";
import type { ResponderReply } from "../../replies/reply";
import type { ResponseItem } from "../response-request";

/** Outcome of a response. */
export type ResponseOutcome =
	| { readonly status: "in_progress" }
	| { readonly status: "completed"; readonly reply: ResponderReply }
	| { readonly status: "failed"; readonly error: Pick<RunError, "code" | "message"> }
	| { readonly status: "cancelled" };

/** Response as it is stored. */
export interface StoredResponse {
	/** `resp_…` */
	readonly id: string;
	/** The client, or the visitor of a page with a client key, that alone finds it. */
	readonly owner: string;
	/** The response that it goes on from. */
	readonly parent_id: string | null;
	readonly background: boolean;
	/** Epoch milliseconds. */
	readonly created_at: number;
	/** Fields that are sent as they are. */
	readonly head: JsonObject;
	/** Items that its request has added to the conversation. */
	readonly input: readonly ResponseItem[];
	readonly outcome: ResponseOutcome;
}

/** Part of a response that a conversation has. */
export type ResponseTurn = Pick<StoredResponse, "input" | "outcome">;

/** Response with those that it goes on from. */
export interface ResponseChain {
	/** Responses from the first one on; none where there is no such response, or the chain is too large. */
	readonly responses: readonly ResponseTurn[];
	/** Id of the response that the first one goes on from, and that is not in the chain. */
	readonly missingId: string | undefined;
	/** True where the chain has more bytes than are allowed. */
	readonly isTooLarge: boolean;
}

/** Responses of one workspace. */
export interface ResponseRepository {
	insert(response: StoredResponse): Promise<void>;
	find(owner: string, id: string): Promise<StoredResponse | undefined>;
	/**
	 * Lists the replies of those of these ids that are completed.
	 *
	 * @param maxBytes - of their outcomes together; `undefined` is returned where they have more.
	 */
	listReplies(
		owner: string,
		ids: readonly string[],
		maxBytes: number,
	): Promise<ReadonlyMap<string, ResponderReply> | undefined>;
	/** @param maxBytes - of the inputs and outcomes of the whole chain. */
	listChain(owner: string, id: string, maxBytes: number): Promise<ResponseChain>;
	/** Ends a response that is in progress; false where there is none. */
	finish(id: string, outcome: ResponseOutcome): Promise<boolean>;
	/** Ends all that are in progress, which a crash has cut off. */
	finishAll(outcome: ResponseOutcome): Promise<void>;
	/** Deletes a response; false where there is none. */
	delete(owner: string, id: string): Promise<boolean>;
}
