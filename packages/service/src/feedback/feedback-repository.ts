import type { FeedbackFilter, FeedbackPassage, FeedbackRating } from "@stemma/client";
import type { Citation, ConversationMessage, Json } from "@stemma/core";
import type { PageRequest } from "../pagination";

/** Question, answer and what it was made from, as they were when the answer was rated. */
export interface RatedContent {
	readonly question: string;
	/** Oldest first. */
	readonly history: readonly ConversationMessage[];
	readonly answer: Json;
	readonly citations: readonly Citation[];
	readonly passages: readonly FeedbackPassage[];
}

/** Feedback as it is stored; times are epoch milliseconds. */
export interface StoredFeedback {
	/** `fb_…` */
	readonly id: string;
	/** Id of the rated run or answer: `run_…`, or `ans_…`. */
	readonly subject: string;
	/** `cl_…`, or `ck_…`. */
	readonly sent_by: string;
	/** Agent of a run; `null` for an answer, as are its slug and its version. */
	readonly agent_id: string | null;
	readonly agent_slug: string | null;
	readonly agent_version: number | null;
	readonly rating: FeedbackRating;
	readonly comment: string | null;
	readonly tags: readonly string[];
	readonly created_at: number;
	readonly updated_at: number;
	readonly content: RatedContent;
}

/** Answer that is kept so that it can be rated. */
export interface StoredAnswer {
	/** `ans_…` */
	readonly id: string;
	/** The client or client key that asked. */
	readonly asked_by: string;
	/** Epoch milliseconds. */
	readonly created_at: number;
	readonly content: RatedContent;
}

/** Filter and page of a list of feedback. */
export interface FeedbackSelection extends Pick<FeedbackFilter, "rating" | "tag">, PageRequest {
	/** Id or slug. */
	readonly agent?: string | undefined;
	/** Epoch milliseconds, inclusive. */
	readonly since?: number | undefined;
	/** Epoch milliseconds, exclusive. */
	readonly until?: number | undefined;
	/** Id of the client, client key or user that sent it. */
	readonly sentBy?: string | undefined;
	/** Ids of agents whose feedback is left out. Default none. */
	readonly withoutAgents?: readonly string[];
	/** Id of a person who may not see what was limited to others when it was made. Default: all is listed. */
	readonly visibleTo?: string | undefined;
	/** True leaves out feedback on answers of `ask`, of which no agent is known. Default false. */
	readonly withoutAnswers?: boolean;
}

/** Feedback of one workspace, and the answers that can be rated. It outlives the runs that it is about. */
export interface FeedbackRepository {
	/**
	 * Stores feedback. What the same sender sent on the same subject before is replaced, under its id and with its time of
	 * creation.
	 */
	put(feedback: StoredFeedback): Promise<StoredFeedback>;
	/** Deletes the feedback of a sender on a subject, and returns its id; `undefined` where there is none. */
	delete(subject: string, sentBy: string): Promise<string | undefined>;
	/** Lists feedback, newest first; one more than `limit`, where there is more. */
	list(selection: FeedbackSelection): Promise<readonly StoredFeedback[]>;
	/**
	 * Stores an answer.
	 *
	 * @param messageId - message of a thread that it is, with which it is deleted; nothing is stored where that is gone.
	 */
	insertAnswer(answer: StoredAnswer, messageId?: string): Promise<void>;
	findAnswer(id: string): Promise<StoredAnswer | undefined>;
	/** Lists the answers that a caller asked for, newest first; one more than `limit`, where there are more. */
	listAnswers(askedBy: string, page: PageRequest): Promise<readonly StoredAnswer[]>;
}
