import { sql } from "kysely";
import type { ResponseOutcome } from "../../../responses/repositories/response-repository";
import { parseColumn } from "../../json-column";
import type { ResponseRepliesRequest, ResponseReplyRow } from "../../sqlite/responses/list-replies-job";
import type { PostgresJob } from "../postgres-job";

/** Lists replies, unless they have more bytes together than are allowed. */
export const listResponseReplies: PostgresJob<
	ResponseRepliesRequest,
	readonly ResponseReplyRow[] | undefined
> = async (transaction, { owner, ids, maxBytes }) => {
	const completed = transaction
		.selectFrom("responses")
		.where("owner", "=", owner)
		.where("status", "=", "completed")
		.where("id", "in", ids);
	const { bytes } = await completed
		.select(sql<number>`coalesce(sum(octet_length(outcome)), 0)`.as("bytes"))
		.executeTakeFirstOrThrow();
	if (bytes > maxBytes) return undefined;
	const rows = await completed.select(["id", "outcome"]).orderBy("number").execute();
	return rows.flatMap(({ id, outcome }) => {
		const stored = parseColumn<ResponseOutcome>(outcome);
		return stored.status === "completed" ? { id, reply: JSON.stringify(stored.reply) } : [];
	});
};
