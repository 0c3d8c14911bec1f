import type { Run, RunWatcher } from "./run";

/**
 * Waits for the run's next event, at most so long; watches the run meanwhile.
 *
 * @param onGone - calls back once nobody waits any more, and gives what stops that.
 */
export function waitForChange(
	run: Run,
	milliseconds: number,
	onGone: (leave: () => void) => () => void,
): Promise<"changed" | "silent"> {
	return new Promise((resolve) => {
		const watcher: RunWatcher = { onChange: () => finish("changed") };
		const timer = setTimeout(() => finish("silent"), milliseconds);
		let stop = (): void => undefined;
		function finish(outcome: "changed" | "silent"): void {
			clearTimeout(timer);
			run.unwatch(watcher);
			stop();
			resolve(outcome);
		}
		run.watch(watcher);
		stop = onGone(() => finish("silent"));
	});
}
