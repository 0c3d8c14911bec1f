import type { SQLInputValue } from "node:sqlite";
import type { Selectable } from "kysely";
import type { FeedbackSelection } from "../../../feedback/feedback-repository";
import type { JobFile } from "../../job-file";
import { toVisibleToSql } from "../../repositories/access/visible-sql";
import type { FeedbackTable } from "./feedback-tables";

/** Rows of feedback, as they are read. */
export type FeedbackRow = Omit<Selectable<FeedbackTable>, "number" | "limits">;

const COLUMNS =
	"id, subject, sent_by, agent_id, agent_slug, agent_version, rating, comment, tags, created_at, updated_at, content";

/** Lists feedback, newest first; one more than `limit`, where there is more. */
export function listFeedback(file: JobFile, selection: FeedbackSelection): readonly FeedbackRow[] {
	const { limit, after, rating, agent, tag, since, until, sentBy } = selection;
	const { withoutAgents = [], withoutAnswers, visibleTo } = selection;
	const agentColumn = agent?.startsWith("ag_") ? "agent_id" : "agent_slug";
	const conditions: readonly (readonly [sql: string, value: SQLInputValue | undefined])[] = [
		["id < ?", after],
		["rating = ?", rating],
		[`${agentColumn} = ?`, agent],
		["EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", tag],
		["created_at >= ?", since],
		["created_at < ?", until],
		["sent_by = ?", sentBy],
		[
			"coalesce(agent_id, '') NOT IN (SELECT value FROM json_each(?))",
			withoutAgents.length === 0 ? undefined : JSON.stringify(withoutAgents),
		],
		[toVisibleToSql({ table: "feedback", owner: "sent_by" }), visibleTo],
		["substr(subject, 1, 4) <> ?", withoutAnswers === true ? "ans_" : undefined],
	];
	const given = conditions.filter(([, value]) => value !== undefined);
	const where = given.length === 0 ? "" : ` WHERE ${given.map(([sql]) => sql).join(" AND ")}`;
	return file
		.prepare<FeedbackRow>(`SELECT ${COLUMNS} FROM feedback${where} ORDER BY id DESC LIMIT ?`)
		.all(...given.flatMap(([, value]) => value ?? []), limit + 1);
}
