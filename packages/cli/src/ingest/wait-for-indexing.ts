import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentCounts, Knowledge } from "@stemma/client";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/** Waits until nothing of a knowledge base is queued or under way. Looks often at first: small folders are done soon. */
export async function waitForIndexing(
	knowledge: Knowledge,
	knowledgeBaseId: string,
	onPending: (pending: number) => void,
	signal: AbortSignal | undefined,
): Promise<void> {
	for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
		const { documents } = await knowledge.get(knowledgeBaseId, { signal });
		const pending = countPending(documents);
		onPending(pending);
		if (pending === 0) return;
		await sleep(pauseMs, undefined, { signal });
	}
}

const countPending = ({ queued, processing }: DocumentCounts): number => queued + processing;
