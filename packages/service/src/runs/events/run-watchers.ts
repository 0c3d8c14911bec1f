/** Tells watchers of a run that there is news. */
export interface RunWatchers {
	watch(runId: string): RunWatcher;
	/** Notifies the watchers of a run that it has changed. */
	notify(runId: string): void;
	/** Returns the number of watchers of a run. */
	count(runId: string): number;
}

export interface RunWatcher {
	/** Resolves when there is news since the last time, or when the signal aborts. */
	waitForChange(signal: AbortSignal): Promise<void>;
	close(): void;
}

interface ChangeSignal {
	hasChanged: boolean;
	notify(): void;
}

export function createRunWatchers(): RunWatchers {
	const changeSignals = new Map<string, Set<ChangeSignal>>();
	return {
		watch(runId) {
			const changeSignal: ChangeSignal = { hasChanged: false, notify: () => undefined };
			const all = changeSignals.get(runId) ?? new Set();
			changeSignals.set(runId, all.add(changeSignal));
			return {
				waitForChange: (signal) => waitForSignal(changeSignal, signal),
				close() {
					all.delete(changeSignal);
					if (all.size === 0) changeSignals.delete(runId);
				},
			};
		},
		notify(runId) {
			for (const changeSignal of changeSignals.get(runId) ?? []) {
				changeSignal.hasChanged = true;
				changeSignal.notify();
			}
		},
		count: (runId) => changeSignals.get(runId)?.size ?? 0,
	};
}

async function waitForSignal(changeSignal: ChangeSignal, signal: AbortSignal): Promise<void> {
	if (!changeSignal.hasChanged && !signal.aborted)
		await new Promise<void>((resolve) => {
			const onChange = (): void => {
				signal.removeEventListener("abort", onChange);
				resolve();
			};
			changeSignal.notify = onChange;
			signal.addEventListener("abort", onChange);
		});
	changeSignal.hasChanged = false;
}
