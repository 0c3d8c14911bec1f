import type { ExportedFeedback, Feedback, FeedbackRecord } from "@stemma/client";
import type { StoredFeedback } from "./feedback-repository";

/** Feedback as its sender sees it: nothing of the answer. */
export const toFeedback = ({ id, subject, rating, comment, tags, ...stored }: StoredFeedback): Feedback => ({
	id,
	run_id: isAnswer(subject) ? null : subject,
	answer_id: isAnswer(subject) ? subject : null,
	...{ rating, comment, tags },
	created_at: new Date(stored.created_at).toISOString(),
	updated_at: new Date(stored.updated_at).toISOString(),
});

const isAnswer = (subject: string): boolean => subject.startsWith("ans_");

/** Feedback in a list. */
export function toFeedbackRecord(stored: StoredFeedback): FeedbackRecord {
	const { sent_by, agent_id, agent_slug, agent_version, content } = stored;
	const { question, answer } = content;
	return { ...toFeedback(stored), sent_by, agent_id, agent_slug, agent_version, question, answer };
}

/** Feedback with all that is known of the answer. */
export function toExportedFeedback(stored: StoredFeedback): ExportedFeedback {
	const { history, citations, passages } = stored.content;
	return { ...toFeedbackRecord(stored), history, citations, passages };
}
