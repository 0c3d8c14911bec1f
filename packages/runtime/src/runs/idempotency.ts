import { sha256 } from "@stemma/core/internal/sha-256";
import { StartOnce } from "@stemma/runs";
import type { RunInput } from "../agents/runnable-agent";
import type { Run } from "./run";

/** The runs that were started with an `Idempotency-Key`, for as long as they are remembered. */
export interface IdempotentRuns {
	/** The run of that key, or a new one; `conflict` when the key was used for something else. */
	startOnce(key: string, fingerprint: string, start: () => Promise<Run>): Promise<Run | "conflict">;
	forget(run: Run): void;
}

export function createIdempotentRuns(): IdempotentRuns {
	const started = new StartOnce<Run>();
	const keys = new Map<Run, string>();
	return {
		async startOnce(key, fingerprint, start) {
			const known = started.find(key);
			if (known !== undefined && known.fingerprint !== fingerprint) return "conflict";
			const run = await started.start(key, start, fingerprint);
			keys.set(run, key);
			return run;
		},
		forget(run) {
			const key = keys.get(run);
			if (key !== undefined) started.forget(key);
			keys.delete(run);
		},
	};
}

/**
 * Hashes what a request asks for, so that nothing of the request itself is kept. The way the answer is sent makes no
 * difference.
 */
export const toFingerprint = (agentId: string, { input, context }: RunInput): string =>
	sha256(JSON.stringify([agentId, input, context ?? null]));
