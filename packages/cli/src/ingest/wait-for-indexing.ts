import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentCounts, Knowledge } from "@stemma/client";

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;
/** Of the time that it takes, so much may be lost by looking late. */
const LATENESS = 0.1;

/** Waits until nothing of a knowledge base is queued or under way. Looks often at first: small folders are done soon. */
export async function waitForIndexing(
	knowledge: Knowledge,
	knowledgeBaseId: string,
	onPending: (pending: number) => void,
	signal: AbortSignal | undefined,
): Promise<void> {
	const startedAt = performance.now();
	for (;;) {
		const { documents } = await knowledge.get(knowledgeBaseId, { signal });
		const pending = countPending(documents);
		onPending(pending);
		if (pending === 0) return;
		const wanted = (performance.now() - startedAt) * LATENESS;
		const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, wanted));
		await sleep(pauseMs, undefined, { signal });
	}
}

const countPending = ({ queued, processing }: DocumentCounts): number => queued + processing;
