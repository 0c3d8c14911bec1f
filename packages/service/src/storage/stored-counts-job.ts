import type { JobFile } from "../store/job-file";

/** Numbers of documents and runs of a workspace. */
export interface StoredCounts {
	readonly documents: number;
	readonly runs: number;
}

const SELECT_COUNTS =
	"SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM runs) AS runs";

export function readStoredCounts(file: JobFile): StoredCounts {
	const row = file.prepare(SELECT_COUNTS).get();
	return { documents: Number(row?.documents ?? 0), runs: Number(row?.runs ?? 0) };
}
