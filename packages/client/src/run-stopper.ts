import type { Logger } from "./options";
import type { RunPlace, RunSource } from "./run-source";

/** Stops a run as soon as its id is known. */
export interface RunStopper {
	/** Somebody wants the run to stop, and its id is not known yet. */
	readonly isWaiting: boolean;
	stop(): void;
	/** The id may be known by now. */
	tryNow(): void;
	/** There is nothing to stop any more. */
	giveUp(): void;
}

export function createRunStopper(source: RunSource, place: RunPlace, logger: Logger | undefined): RunStopper {
	let state: "running" | "waiting" | "done" = "running";

	function tryNow(): void {
		if (state !== "waiting" || place.runId === undefined) return;
		state = "done";
		source.cancel(place).catch((error: unknown) => {
			logger?.warn(`The run ${place.runId} could not be cancelled: ${error}`);
		});
	}

	return {
		get isWaiting() {
			return state === "waiting";
		},
		stop() {
			if (state === "running") state = "waiting";
			tryNow();
		},
		tryNow,
		giveUp() {
			state = "done";
		},
	};
}
