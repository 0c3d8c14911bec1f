import type { Generated } from "kysely";
import type { RatedContent, StoredAnswer, StoredFeedback } from "../../../feedback/feedback-repository";
import type { JsonColumn } from "../../json-column";

/** Tables of feedback, and of answers that can be rated. Times are epoch milliseconds, JSON is text. */
export interface FeedbackTables {
	feedback: FeedbackTable;
	answers: AnswerTable;
}

export interface FeedbackTable extends Omit<StoredFeedback, "tags" | "content"> {
	readonly number: Generated<number>;
	readonly tags: JsonColumn<readonly string[]>;
	readonly content: JsonColumn<RatedContent>;
	/** Limits of the run that it is about, as JSON; null for none. */
	readonly limits: string | null;
}

interface AnswerTable extends Omit<StoredAnswer, "content"> {
	readonly number: Generated<number>;
	readonly content: JsonColumn<RatedContent>;
}

/** The content is the last column: a list that is filtered does not read it of other rows. */
export const feedbackTablesSql = `
	CREATE TABLE feedback (
		number INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		subject TEXT NOT NULL,
		sent_by TEXT NOT NULL,
		agent_id TEXT,
		agent_slug TEXT,
		agent_version INTEGER,
		rating TEXT NOT NULL,
		comment TEXT,
		tags TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		updated_at INTEGER NOT NULL,
		content TEXT NOT NULL,
		UNIQUE (subject, sent_by)
	) STRICT;
	CREATE TABLE answers (
		number INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		asked_by TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		content TEXT NOT NULL
	) STRICT;
`;
