import type { StoredCounts } from "../../../storage/storage-repository";
import type { JobFile } from "../../job-file";

const SELECT_COUNTS =
	"SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM runs) AS runs";

/** Counts documents and runs. */
export function readStoredCounts(file: JobFile): StoredCounts {
	const row = file.prepare(SELECT_COUNTS).get();
	return { documents: Number(row?.documents ?? 0), runs: Number(row?.runs ?? 0) };
}
