import type { JobFile } from "../../../../job-file";

/** Filters uploads that are still wanted: neither they nor their knowledge base were deleted or replaced. */
export function filterCurrentUploads(file: JobFile, uploads: readonly number[]): readonly number[] {
	const rows = file
		.prepare(
			"SELECT uploads.number FROM uploads JOIN documents ON documents.number = uploads.document" +
				" JOIN knowledge_bases ON knowledge_bases.number = documents.knowledge_base" +
				" WHERE uploads.number IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL",
		)
		.all(JSON.stringify(uploads));
	return rows.map(({ number }) => Number(number));
}
