import { setTimeout as wait } from "node:timers/promises";
import type { Knowledge, Reindex } from "@stemma/client";
import { createProgressBar } from "../terminal/progress-bar";
import type { Terminal } from "../terminal/terminal";

const POLL_MS = 500;

/** Waits until a move is completed or pauses, and shows on a terminal how far it is. */
export async function waitForReindex(
	terminal: Pick<Terminal, "stderr">,
	{ reindexes }: Knowledge,
	knowledgeBaseId: string,
): Promise<Reindex> {
	const bar = createProgressBar(terminal, "moving");
	for (;;) {
		const reindex = await reindexes.get(knowledgeBaseId);
		if (reindex.status !== "running") {
			bar.clear();
			return reindex;
		}
		bar.update(reindex.passages.done, reindex.passages.total, "");
		await wait(POLL_MS);
	}
}
