import type { Run } from "./run";

/** Waits for the run's next event, at most so long; watches the run meanwhile. An aborted signal ends the waiting. */
export function waitForChange(
	run: Run,
	milliseconds: number,
	signal: AbortSignal,
): Promise<"changed" | "silent"> {
	return new Promise((resolve) => {
		const timer = setTimeout(() => finish("silent"), milliseconds);
		const unwatch = run.watch(() => finish("changed"));
		const leave = (): void => finish("silent");
		signal.addEventListener("abort", leave);
		function finish(outcome: "changed" | "silent"): void {
			clearTimeout(timer);
			unwatch();
			signal.removeEventListener("abort", leave);
			resolve(outcome);
		}
		if (signal.aborted) leave();
	});
}
