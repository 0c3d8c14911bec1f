import { join } from "node:path";
import type { Passage } from "@stemma/documents";
import { describeSkipped, readFolder } from "@stemma/documents/folder";
import { reportEmpty, reportUnreadable } from "../ingest/show-ingest";
import { createWordIndex, type WordIndex } from "../search/word-index";
import { createProgressBar } from "../terminal/progress-bar";
import { sanitizeLine, style, type Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";

/** Documents that were read and can be searched. */
export interface Knowledge {
	/** Indexes by knowledge base. */
	readonly indexes: ReadonlyMap<string, WordIndex>;
	/** Returns the source of a passage: the path within its folder, with the folder where there are several. */
	readonly pathOf: (passageId: string) => string | undefined;
}

export interface ReadKnowledgeOptions {
	readonly skipUnreadable: boolean;
	readonly followLinks: boolean;
}

/** Reads each folder once, with a progress bar, and says on standard error what was left out. */
export async function readKnowledge(
	terminal: Terminal,
	folders: ReadonlyMap<string, string>,
	options: ReadKnowledgeOptions,
): Promise<Knowledge> {
	const indexByFolder = new Map<string, WordIndex>();
	const paths = new Map<string, string>();
	const several = new Set(folders.values()).size > 1;
	for (const folder of new Set(folders.values())) {
		const passages = await readPassages(terminal, folder, options);
		for (const { passage_id, path } of passages) paths.set(passage_id, several ? join(folder, path) : path);
		indexByFolder.set(folder, createWordIndex(passages));
	}
	const indexes = new Map<string, WordIndex>();
	for (const [id, folder] of folders) {
		const index = indexByFolder.get(folder);
		if (index !== undefined) indexes.set(id, index);
	}
	return { indexes, pathOf: (passageId) => paths.get(passageId) };
}

async function readPassages(
	terminal: Terminal,
	folder: string,
	{ skipUnreadable, followLinks }: ReadKnowledgeOptions,
): Promise<readonly Passage[]> {
	const { stderr } = terminal;
	const bar = createProgressBar(terminal, "Reading");
	const startedAt = performance.now();
	try {
		const { documents, passages, emptyPaths, skipped, unreadable } = await readFolder(folder, {
			skipUnreadable,
			followLinks,
			onProgress: ({ done, total, path }) => bar.update(done, total, path),
		});
		bar.clear();
		const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
		const summary = `Read ${count(documents.length, "document")} (${count(passages.length, "passage")}) from ${folder} in ${seconds} s.`;
		stderr.write(`${style(stderr, "dim", summary)}\n`);
		if (skipped.length > 0)
			stderr.write(`${style(stderr, "dim", `Left out: ${sanitizeLine(describeSkipped(skipped))}.`)}\n`);
		reportEmpty(terminal, emptyPaths);
		reportUnreadable(
			terminal,
			"skipped",
			unreadable.map(({ path, reason }) => ({ source: path, reason })),
		);
		return passages;
	} finally {
		bar.clear();
	}
}
