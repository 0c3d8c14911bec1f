import type { ApprovalDecision } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import type { RunSegment, SourceEvent } from "@stemma/runs";

/** Segment of a run that begins later, when it is its turn. Cancelled before, it never begins. */
export class DeferredSegment implements RunSegment {
	readonly #open: (signal: AbortSignal) => Promise<RunSegment>;
	readonly #cancelled = new AbortController();
	#segment: RunSegment | undefined;

	/** @param open - begins the run; the signal aborts when the run is cancelled. */
	constructor(open: (signal: AbortSignal) => Promise<RunSegment>) {
		this.#open = open;
	}

	async follow(onEvent: (event: SourceEvent) => void): Promise<unknown> {
		const { signal } = this.#cancelled;
		this.#segment = await this.#open(signal);
		if (signal.aborted) this.#segment.cancel();
		return this.#segment.follow(onEvent);
	}

	cancel(): void {
		this.#cancelled.abort();
		this.#segment?.cancel();
	}

	decide(decision: ApprovalDecision): void {
		if (this.#segment === undefined)
			throw new StemmaError("The run has not begun.", { code: "approval_not_found" });
		this.#segment.decide(decision);
	}

	save(): string {
		return this.#segment?.save() ?? "";
	}
}
