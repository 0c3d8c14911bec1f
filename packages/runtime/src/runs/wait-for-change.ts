import type { Run, RunWatcher } from "./run";

/** Waits for the run's next event, at most so long; watches the run meanwhile. An aborted signal ends the waiting. */
export function waitForChange(
	run: Run,
	milliseconds: number,
	signal: AbortSignal,
): Promise<"changed" | "silent"> {
	return new Promise((resolve) => {
		const watcher: RunWatcher = { onChange: () => finish("changed") };
		const timer = setTimeout(() => finish("silent"), milliseconds);
		const leave = (): void => finish("silent");
		function finish(outcome: "changed" | "silent"): void {
			clearTimeout(timer);
			run.unwatch(watcher);
			signal.removeEventListener("abort", leave);
			resolve(outcome);
		}
		run.watch(watcher);
		signal.addEventListener("abort", leave);
		if (signal.aborted) leave();
	});
}
