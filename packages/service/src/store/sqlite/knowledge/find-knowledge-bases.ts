import type { JobFile } from "../../job-file";

/** The numbers of knowledge bases by their ids; `undefined` for those that do not exist. */
export function findKnowledgeBases(file: JobFile, ids: readonly string[]): (number | undefined)[] {
	const select = file.prepare("SELECT number FROM knowledge_bases WHERE id = ? AND deleted_at IS NULL");
	return ids.map((id) => {
		const number = select.get(id)?.number;
		return number === undefined ? undefined : Number(number);
	});
}
