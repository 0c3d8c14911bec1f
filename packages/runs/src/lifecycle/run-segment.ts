import type { ApprovalDecision } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import type { SourceEvent } from "../store/event-record";

/** A run from its start, or from a pause, to its end or its next pause. */
export interface RunSegment {
	/**
	 * Hands over the events in order, as they happen; those so far may come before this returns, the last is an end or a
	 * pause. Settles after it; fails when the source broke before it.
	 */
	follow(onEvent: (event: SourceEvent) => void): Promise<unknown>;
	/** Cancels the run. */
	cancel(): void;
	/**
	 * Decides on an approval while the run is in progress.
	 *
	 * @throws StemmaError `approval_not_found` for one that is not open.
	 */
	decide(decision: ApprovalDecision): void;
	/** Writes the state that the run is resumed with after its pause, as JSON; empty where another process has it. */
	save(): string;
}

/** Stream of a run of the engine in this process. */
export interface EngineRunStream {
	listen(onEvent: (event: SourceEvent) => void): void;
	result(): Promise<unknown>;
	cancel(): void;
	decide(decision: ApprovalDecision): void;
	serialize(): unknown;
}

/** Segment of a run of the engine. A class, because it takes less memory than closures. */
export class EngineRunSegment implements RunSegment {
	readonly #stream: EngineRunStream;

	constructor(stream: EngineRunStream) {
		this.#stream = stream;
	}

	follow(onEvent: (event: SourceEvent) => void): Promise<unknown> {
		this.#stream.listen(onEvent);
		return this.#stream.result().catch(ignoreRunFailure);
	}

	cancel(): void {
		this.#stream.cancel();
	}

	decide(decision: ApprovalDecision): void {
		this.#stream.decide(decision);
	}

	save(): string {
		return JSON.stringify(this.#stream.serialize());
	}
}

/** A run that failed has told so in its last event. */
function ignoreRunFailure(error: unknown): void {
	if (!RunFailedError.is(error)) throw error;
}
