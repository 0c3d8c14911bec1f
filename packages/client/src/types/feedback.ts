import type { Citation, ConversationMessage, Json, Place } from "@stemma/core";
import type { PageOptions } from "./page";

/** Verdict of a reader on an answer. */
export type FeedbackRating = "up" | "down";

/** Body of `POST /v1/runs/:id/feedback` and `POST /v1/answers/:id/feedback`. */
export interface FeedbackRequest {
	readonly rating: FeedbackRating;
	/** 1 to 4,000 characters. */
	readonly comment?: string;
	/** Up to 20 tags, each of 1 to 50 characters; those that occur twice are kept once. */
	readonly tags?: readonly string[];
}

/** Feedback, as whoever sent it gets it back. */
export interface Feedback {
	/** `fb_…`, sortable by time. It stays when the same sender rates the same answer again. */
	readonly id: string;
	/** Run that was rated; `null` for an answer of `ask`. */
	readonly run_id: string | null;
	/** Answer of `ask` that was rated; `null` for a run. */
	readonly answer_id: string | null;
	readonly rating: FeedbackRating;
	readonly comment: string | null;
	readonly tags: readonly string[];
	readonly created_at: string;
	readonly updated_at: string;
}

/** Feedback with what was rated, as it was at that time. */
export interface FeedbackRecord extends Feedback {
	/** `cl_…` or `ck_…`. */
	readonly sent_by: string;
	/** Agent of the run; `null` for an answer of `ask`, as are its slug and its version. */
	readonly agent_id: string | null;
	readonly agent_slug: string | null;
	readonly agent_version: number | null;
	/** Text of the question: the last message of the user, or the input of the run as JSON. At most 100,000 characters. */
	readonly question: string;
	/** Output of the run, or the text of the answer. */
	readonly answer: Json;
}

/** Passage that an answer was made from, as it was then. */
export interface FeedbackPassage {
	/** Title of the document. */
	readonly title: string;
	readonly text: string;
	readonly place: Place;
	/** Left out for a passage of a run that its answer does not cite, as is the document. */
	readonly passage_id?: string;
	readonly document_id?: string;
}

/** Line of an export. */
export interface ExportedFeedback extends FeedbackRecord {
	/** The conversation before the question, oldest first: the newest messages of 100,000 characters together. */
	readonly history: readonly ConversationMessage[];
	/** The passages that the answer cites. */
	readonly citations: readonly Citation[];
	/** All passages that were found, best first, at most 200. For a run, those of its own knowledge nodes. */
	readonly passages: readonly FeedbackPassage[];
}

/** Feedback to export. */
export interface FeedbackFilter {
	readonly rating?: FeedbackRating;
	/** An id or a slug. */
	readonly agent_id?: string;
	readonly tag?: string;
	/** Earliest time of creation: RFC 3339, or a day such as `2026-01-31` (UTC). */
	readonly since?: string;
	/** Time that `created_at` is before. */
	readonly until?: string;
}

/** Feedback to list. */
export interface FeedbackListOptions extends FeedbackFilter, PageOptions {}
