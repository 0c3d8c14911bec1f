import { sql } from "kysely";
import type { FeedbackSelection } from "../../../feedback/feedback-repository";
import { isVisibleTo } from "../../repositories/access/visible-sql";
import type { FeedbackRow } from "../../sqlite/feedback/list-feedback-job";
import { parsedJson } from "../connection/parsed-json";
import type { PostgresJob } from "../postgres-job";

const COLUMNS = [
	...(["id", "subject", "sent_by", "agent_id", "agent_slug", "agent_version"] as const),
	...(["rating", "comment", "tags", "created_at", "updated_at", "content"] as const),
] as const;

const FEEDBACK = { table: "feedback", owner: "sent_by" } as const;

/** Lists feedback, newest first; one more than `limit`, where there is more. */
export const listFeedback: PostgresJob<FeedbackSelection, readonly FeedbackRow[]> = (
	transaction,
	{ limit, after, rating, agent, tag, since, until, sentBy, withoutAgents = [], withoutAnswers, visibleTo },
) =>
	transaction
		.selectFrom("feedback")
		.select(COLUMNS)
		.where((where) =>
			where.and([
				...(after === undefined ? [] : [where("id", "<", after)]),
				...(rating === undefined ? [] : [where("rating", "=", rating)]),
				...(agent === undefined
					? []
					: [where(agent.startsWith("ag_") ? "agent_id" : "agent_slug", "=", agent)]),
				...(tag === undefined ? [] : [sql<boolean>`${parsedJson("feedback.tags")} ? ${tag}`]),
				...(since === undefined ? [] : [where("created_at", ">=", since)]),
				...(until === undefined ? [] : [where("created_at", "<", until)]),
				...(sentBy === undefined ? [] : [where("sent_by", "=", sentBy)]),
				...(withoutAgents.length === 0
					? []
					: [where.or([where("agent_id", "is", null), where("agent_id", "not in", withoutAgents)])]),
				...(withoutAnswers === true ? [where("subject", "not like", "ans\\_%")] : []),
				...(visibleTo === undefined ? [] : [isVisibleTo(transaction, FEEDBACK, visibleTo)]),
			]),
		)
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
