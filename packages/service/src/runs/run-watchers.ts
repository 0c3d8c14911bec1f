/** Tells watchers of a run that there is news. */
export interface RunWatchers {
	watch(runId: string): RunWatcher;
	/** There is news of that run. */
	wake(runId: string): void;
	/** How many watch that run. */
	count(runId: string): number;
}

export interface RunWatcher {
	/** Resolves when there is news since the last time, or when the signal aborts. */
	news(signal: AbortSignal): Promise<void>;
	end(): void;
}

interface Bell {
	hasRung: boolean;
	ring(): void;
}

export function createRunWatchers(): RunWatchers {
	const bells = new Map<string, Set<Bell>>();
	return {
		watch(runId) {
			const bell: Bell = { hasRung: false, ring: () => undefined };
			const all = bells.get(runId) ?? new Set();
			bells.set(runId, all.add(bell));
			return {
				news: (signal) => waitFor(bell, signal),
				end() {
					all.delete(bell);
					if (all.size === 0) bells.delete(runId);
				},
			};
		},
		wake(runId) {
			for (const bell of bells.get(runId) ?? []) {
				bell.hasRung = true;
				bell.ring();
			}
		},
		count: (runId) => bells.get(runId)?.size ?? 0,
	};
}

async function waitFor(bell: Bell, signal: AbortSignal): Promise<void> {
	if (!bell.hasRung && !signal.aborted)
		await new Promise<void>((resolve) => {
			const wake = (): void => {
				signal.removeEventListener("abort", wake);
				resolve();
			};
			bell.ring = wake;
			signal.addEventListener("abort", wake);
		});
	bell.hasRung = false;
}
