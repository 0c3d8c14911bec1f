import {
	type Citation,
	type ReceiptRow,
	RunFailedError,
	type RunResult,
	type RunStatus,
	type StemmaError,
	type WireRunEvent,
} from "@stemma/client";
import { toStemmaError } from "./caught-error";

/** What a run is rejoined by, after a reload say. Keep it as you keep a secret: it lets one read and cancel the run. */
export interface RunHandle {
	/** `run_…` */
	readonly runId: string;
	/** Client keys cannot do without; there is none from a runtime. */
	readonly runToken?: string | undefined;
}

/** One run as it is now. */
export interface RunState {
	/** `idle` before a start; `running` from the start on, before the service has answered, too. */
	readonly status: "idle" | "running" | RunStatus;
	/** The answer so far, and at last the whole of it. Stays after a cancel. */
	readonly text: string;
	/** What happened so far, in order, without the pieces of text and reasoning: for progress. */
	readonly events: readonly WireRunEvent[];
	/** The sources of the answer, once it is complete. */
	readonly citations: readonly Citation[];
	/** What was paid and by whom, once the run has ended; empty for client keys. */
	readonly receipt: readonly ReceiptRow[];
	/** Once the run has ended, however it did, or has paused. */
	readonly result: RunResult | undefined;
	/** Why `status` is `failed`: `code` to decide by, `message` and `hint` to show. */
	readonly error: StemmaError | undefined;
	/** Soon after the start, and for as long as the run is shown. */
	readonly handle: RunHandle | undefined;
}

const NONE: readonly never[] = [];

export const IDLE_RUN: RunState = {
	status: "idle",
	text: "",
	events: NONE,
	citations: NONE,
	receipt: NONE,
	result: undefined,
	error: undefined,
	handle: undefined,
};

export const toRunningRun = (handle?: RunHandle): RunState => ({ ...IDLE_RUN, status: "running", handle });

export function reduceRun(state: RunState, event: WireRunEvent): RunState {
	switch (event.type) {
		case "text.delta":
			return event.final ? { ...state, text: state.text + event.text } : state;
		case "text.reset":
			return { ...state, text: "", events: [...state.events, event] };
		case "reasoning.delta":
			return state;
		default:
			return { ...state, events: [...state.events, event] };
	}
}

/** Text output is the whole text, also where its pieces were missed. */
export function endRun(state: RunState, result: RunResult): RunState {
	const { status, output, citations, receipt } = result;
	const text = typeof output === "string" ? output : state.text;
	return { ...state, status, text, citations, receipt, result };
}

export function failRun(state: RunState, error: unknown): RunState {
	const ended = RunFailedError.is(error) ? endRun(state, error.result) : state;
	return { ...ended, status: "failed", error: toStemmaError(error) };
}
