import type { ResponderReply } from "../../../replies/reply";
import type { JobFile } from "../../job-file";
import type { JsonColumn } from "../../json-column";

/** Responses whose replies are listed. */
export interface ResponseRepliesRequest {
	readonly owner: string;
	readonly ids: readonly string[];
	/** Maximum bytes of the outcomes of all. */
	readonly maxBytes: number;
}

/** Reply of a response as it is read. */
export interface ResponseReplyRow {
	readonly id: string;
	readonly reply: JsonColumn<ResponderReply>;
}

const COMPLETED =
	"FROM responses WHERE owner = ? AND status = 'completed' AND id IN (SELECT value FROM json_each(?))";

/** Lists replies, unless they have more bytes together than are allowed. */
export function listResponseReplies(
	file: JobFile,
	{ owner, ids, maxBytes }: ResponseRepliesRequest,
): readonly ResponseReplyRow[] | undefined {
	const parameters = [owner, JSON.stringify(ids)];
	const size = file
		.prepare<{ readonly bytes: number }>(`SELECT total(octet_length(outcome)) AS bytes ${COMPLETED}`)
		.get(...parameters);
	if (size !== undefined && size.bytes > maxBytes) return undefined;
	return file
		.prepare<ResponseReplyRow>(`SELECT id, outcome ->> '$.reply' AS reply ${COMPLETED}`)
		.all(...parameters);
}
