import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentCounts, Knowledge } from "@stemma/client";

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;
/** Pause between two checks, as a fraction of the time passed so far. */
const PAUSE_RATIO = 0.1;

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
		const targetMs = (performance.now() - startedAt) * PAUSE_RATIO;
		const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, targetMs));
		await sleep(pauseMs, undefined, { signal });
	}
}

const countPending = ({ queued, processing }: DocumentCounts): number => queued + processing;
