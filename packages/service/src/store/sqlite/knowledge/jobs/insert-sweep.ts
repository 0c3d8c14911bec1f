import type { PassageRange } from "../../../../knowledge/repositories/passage-repository";
import type { JobFile } from "../../../job-file";

/** Passages to be swept away, but not as long as this upload is in the queue. */
export function insertSweep(
	file: JobFile,
	knowledgeBase: number,
	{ first, count }: PassageRange,
	upload: number | null = null,
): void {
	if (count === 0) return;
	file
		.prepare("INSERT INTO passage_sweeps (first, last, knowledge_base, upload) VALUES (?, ?, ?, ?)")
		.run(first, first + count - 1, knowledgeBase, upload);
}
