import { setTimeout as wait } from "node:timers/promises";
import type { Knowledge, SourceSync } from "@stemma/client";
import { sanitizeLine, type Terminal } from "../terminal/terminal";
import { describeCounts } from "./format-source";

const POLL_MS = 500;

/** Source whose sync is waited for. */
export interface WaitedSource {
	readonly knowledgeBaseId: string;
	readonly sourceId: string;
	/** Left out: the first one. */
	readonly syncId?: string;
}

/** Waits until a sync has ended, and shows its counts on a terminal meanwhile. */
export async function waitForSync(
	{ stderr }: Pick<Terminal, "stderr">,
	{ sources }: Knowledge,
	{ knowledgeBaseId, sourceId, syncId }: WaitedSource,
): Promise<SourceSync> {
	for (;;) {
		const { data } = await sources.listSyncs(knowledgeBaseId, sourceId, { limit: 20 });
		const found = syncId === undefined ? data[0] : data.find(({ id }) => id === syncId);
		const isActive = found === undefined || found.status === "queued" || found.status === "running";
		if (stderr.isTTY) {
			const line = found === undefined ? "queued" : `${found.status}: ${describeCounts(found.counts)}`;
			stderr.write(`\r\u001B[2K${isActive ? sanitizeLine(line) : ""}`);
		}
		if (!isActive) return found;
		await wait(POLL_MS);
	}
}
