import type { Runs, WireRunEvent } from "@stemma/client";

/** A run without an event for so long would be cancelled: watching one never does that. The longest timer there is. */
const NEVER_MS = 2 ** 31 - 1;

interface FollowRunOptions {
	readonly onEvent: (event: WireRunEvent) => void;
	/** Leaves the run, which goes on. */
	readonly signal: AbortSignal;
}

/** Reads the events of a run from the first one to its end, also while it waits for people. Never ends the run. */
export async function followRun(
	runs: Pick<Runs, "stream">,
	runId: string,
	{ onEvent, signal }: FollowRunOptions,
): Promise<void> {
	let last: WireRunEvent | undefined;
	while (!signal.aborted && (last === undefined || last.type === "run.paused")) {
		const after = last?.seq ?? 0;
		const stream = runs.stream(runId, { after, timeouts: { eventTimeoutMs: NEVER_MS } });
		// Left at once, without an error of its own.
		const leave = (): void => stream.close();
		signal.addEventListener("abort", leave);
		try {
			for await (const event of stream) {
				if (signal.aborted) return;
				last = event;
				onEvent(event);
			}
		} finally {
			signal.removeEventListener("abort", leave);
		}
		if (last === undefined || last.seq === after) return;
	}
}
