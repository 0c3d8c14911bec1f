import {
	type Approval,
	type Citation,
	type ReceiptRow,
	RunFailedError,
	type RunResult,
	type RunStatus,
	type StemmaError,
	type WireRunEvent,
} from "@stemma/client";
import { toStemmaError } from "./to-stemma-error";

/**
 * Handle to rejoin a run, for example after a reload. Keep it like a secret: it lets its holder read and cancel the
 * run.
 */
export interface RunHandle {
	/** `run_…` */
	readonly run_id: string;
	/** Client keys cannot do without; there is none from a runtime. */
	readonly run_token?: string | undefined;
}

/** One run as it is now. */
export interface RunState {
	/** `idle` before a start; `running` from the start on, before the service has answered, too. */
	readonly status: "idle" | "running" | RunStatus;
	/** The answer so far, and at last the whole of it. Stays after a cancel. */
	readonly text: string;
	/** Events so far, in order, without the pieces of text and reasoning: for showing progress. */
	readonly events: readonly WireRunEvent[];
	/** The sources of the answer, once it is complete. */
	readonly citations: readonly Citation[];
	/** Receipt: what was paid and by whom, once the run has ended; empty for client keys. */
	readonly receipt: readonly ReceiptRow[];
	/** Approvals that the run waits for while `status` is `paused`, to show and decide on. Empty for client keys. */
	readonly approvals: readonly Approval[];
	/** Result, once the run has ended in any way or has paused. */
	readonly result: RunResult | undefined;
	/** Error of a run whose `status` is `failed`: `code` to branch on, `message` and `hint` to show. */
	readonly error: StemmaError | undefined;
	/**
	 * `status` is `failed` as the connection was lost, say: the run itself may go on, and `reconnect` shows how. Never
	 * without `runs`.
	 */
	readonly canReconnect: boolean;
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
	approvals: NONE,
	result: undefined,
	error: undefined,
	canReconnect: false,
	handle: undefined,
};

export const toRunningRun = (handle?: RunHandle): RunState => ({ ...IDLE_RUN, status: "running", handle });

export function reduceRun(state: RunState, events: readonly WireRunEvent[]): RunState {
	let { text } = state;
	const visible: WireRunEvent[] = [];
	for (const event of events) {
		if (event.type === "text.delta") text += event.final ? event.text : "";
		else if (event.type !== "reasoning.delta") visible.push(event);
		if (event.type === "text.reset") text = "";
	}
	return { ...state, text, events: visible.length > 0 ? [...state.events, ...visible] : state.events };
}

/** The run goes on to be read where it was left. */
export const resumeRun = (state: RunState): RunState => ({
	...state,
	status: "running",
	error: undefined,
	canReconnect: false,
});

/** Text output is the whole text, also where its pieces were missed. */
export function endRun(state: RunState, result: RunResult): RunState {
	const { status, output, citations, receipt, approvals = NONE } = result;
	const text = typeof output === "string" ? output : state.text;
	return { ...state, status, text, citations, receipt, approvals, result };
}

export function failRun(state: RunState, cause: unknown, hasRuns: boolean): RunState {
	const error = toStemmaError(cause);
	if (RunFailedError.is(cause)) return { ...endRun(state, cause.result), error };
	const canReconnect = hasRuns && state.handle !== undefined && !isPermanentError(error);
	return { ...state, status: "failed", error, canReconnect };
}

/** Checks for an error of reading a run that another try does not fix. */
export const isPermanentError = ({ code }: StemmaError): boolean =>
	/^(run_not_found|events_expired|configuration|unexpected)$/.test(code);
