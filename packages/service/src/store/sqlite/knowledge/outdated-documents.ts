import { READER_VERSIONS } from "@stemma/documents";
import type { OutdatedCounts } from "../../../knowledge/repositories/upload-repository";
import type { JobFile } from "../../job-file";

/** Condition on documents that an older version of their reader has read; its parameter is {@link toVersionsJson}. */
export const IS_OUTDATED =
	"status IN ('ready', 'failed') AND reader_version < coalesce((SELECT value FROM json_each(?) WHERE key = format), 0)" +
	" AND knowledge_base IN (SELECT number FROM knowledge_bases WHERE deleted_at IS NULL)";

/** Condition on outdated documents that can be read again at no cost: new vectors would have to be paid for. */
export const CAN_BE_REREAD =
	"original_content IS NOT NULL AND knowledge_base IN (SELECT number FROM knowledge_bases WHERE embedding = 'null')";

/** Versions by format. */
export const toVersionsJson = (versions: Readonly<Record<string, number>> = READER_VERSIONS): string =>
	JSON.stringify(versions);

/** Counts the outdated documents of a workspace's file. */
export function countOutdatedDocuments({ database }: Pick<JobFile, "database">): OutdatedCounts {
	const row = database
		.prepare(
			`SELECT count(*) AS count, coalesce(sum(${CAN_BE_REREAD}), 0) AS waiting FROM documents WHERE ${IS_OUTDATED}`,
		)
		.get(toVersionsJson());
	const waiting = Number(row?.waiting ?? 0);
	return { waiting, left: Number(row?.count ?? 0) - waiting };
}
