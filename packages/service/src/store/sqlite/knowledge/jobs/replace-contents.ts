import type { JobFile } from "../../../job-file";
import type { DocumentTable } from "../knowledge-tables";

type DocumentContents = Pick<DocumentTable, "original_content" | "text_content">;

/** Replaces contents of a document. Those that it shows no more are swept away later. */
export function replaceContents(file: JobFile, document: number, change: Partial<DocumentContents>): void {
	const before = file
		.prepare<DocumentContents>("SELECT original_content, text_content FROM documents WHERE number = ?")
		.get(document);
	if (before === undefined) return;
	const { original_content: original, text_content: text } = { ...before, ...change };
	file
		.prepare("UPDATE documents SET original_content = ?, text_content = ? WHERE number = ?")
		.run(original, text, document);
	const insertSweep = file.prepare("INSERT INTO content_sweeps (content) VALUES (?)");
	for (const content of new Set([before.original_content, before.text_content]))
		if (content !== null && content !== original && content !== text) insertSweep.run(content);
}
