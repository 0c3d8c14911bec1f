import type { Run, RunWatcher } from "./run";

/**
 * Waits for the run's next event, at most so long; watches the run meanwhile.
 *
 * @param onDisconnect - calls back once nobody waits any more, and gives what stops that.
 */
export function waitForChange(
	run: Run,
	milliseconds: number,
	onDisconnect: (stopWaiting: () => void) => () => void,
): Promise<"changed" | "timeout"> {
	return new Promise((resolve) => {
		const watcher: RunWatcher = { onChange: () => finish("changed") };
		const timer = setTimeout(() => finish("timeout"), milliseconds);
		let stop = (): void => undefined;
		function finish(outcome: "changed" | "timeout"): void {
			clearTimeout(timer);
			run.unwatch(watcher);
			stop();
			resolve(outcome);
		}
		run.watch(watcher);
		stop = onDisconnect(() => finish("timeout"));
	});
}
