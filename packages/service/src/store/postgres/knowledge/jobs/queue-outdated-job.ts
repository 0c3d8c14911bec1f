import { sql } from "kysely";
import type { QueueOutdatedInput } from "../../../../knowledge/repositories/upload-repository";
import { REREADING } from "../../../sqlite/knowledge/jobs/uploads/insert-upload";
import { toVersionsJson } from "../../../sqlite/knowledge/outdated-documents";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import { insertUpload } from "./uploads/upload-rows";

/**
 * Queues some documents that an older version of their reader has read, where reading them costs nothing. They stay as they
 * are, and are found, until their new passages are stored. Returns their number.
 */
export const queueOutdated: PostgresJob<QueueOutdatedInput, number> = async (
	transaction,
	{ maxDocuments, versions },
) => {
	const { rows } = await sql<{ readonly number: number }>`
		select documents.number from documents
		join knowledge_bases on knowledge_bases.number = documents.knowledge_base and ${ownRows("knowledge_bases")}
		where ${ownRows("documents")} and status in ('ready', 'failed')
			and reader_version < coalesce((${toVersionsJson(versions)}::jsonb ->> format)::integer, 0)
			and original_content is not null and deleted_at is null and embedding = 'null'
			and not exists (select from uploads where ${ownRows("uploads")} and uploads.document = documents.number)
		order by documents.number limit ${maxDocuments}`.execute(transaction);
	for (const { number } of rows)
		await insertUpload(transaction, number, { hasVectors: false, rereading: REREADING.waiting });
	return rows.length;
};
