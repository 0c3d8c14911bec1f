import type { RunCursor } from "./run-cursor";

/** Event of a stream; the last one, which ends it, has the result. */
export interface StreamEvent {
	readonly type: string;
	readonly seq: number;
	readonly run_id: string;
	readonly run_token?: string;
	readonly result?: unknown;
}

/** State of a stream of a run. */
export interface RunStreamState<Result> extends RunCursor {
	/** True for a run that was there before: a timeout ends reading, and the run goes on. */
	readonly isFollowed: boolean;
	/** Number of tries to start the run after the first. */
	readonly maxRetries: number;
	/** Sequence numbers below `seq` that were not read. */
	readonly missingSeqs: readonly number[];
	/** True from when a connection is wanted until it is given up, also between two tries. */
	readonly isConnected: boolean;
	/** True once a connection was answered. */
	readonly hasOpened: boolean;
	/** Time at which this connection was answered, in epoch milliseconds; infinite before. */
	readonly openedAt: number;
	/** True once this connection has brought a new event. */
	readonly hasAdvanced: boolean;
	/** Disconnects in a row without a new event between them. */
	readonly disconnects: number;
	/** True once the start was sent and not refused before anything began. */
	readonly mayHaveStarted: boolean;
	/** Value of `mayHaveStarted` before this connection. */
	readonly mightHaveStarted: boolean;
	/** True while a body whose last event has come is read to its end, so that its connection serves again. */
	readonly isDraining: boolean;
	readonly isSettled: boolean;
	readonly isAwaited: boolean;
	/** True while the reader expects events: it has not stopped reading, and the last event is not in the queue. */
	readonly hasReader: boolean;
	/** Sequence number after which events were dropped for a reader that is far behind; `undefined` where none were. */
	readonly droppedAfter: number | undefined;
	readonly cancelState: "pending" | "requested" | "done" | undefined;
	/**
	 * Result of a run that has paused, until a later event shows that the run goes on; such an event follows in the log
	 * at once.
	 */
	readonly paused: Result | undefined;
}

/** Response to a start that is no stream: the record of a run in the background, or the result of one that has ended. */
export interface StartResponse {
	readonly id?: unknown;
	readonly run_id?: unknown;
	readonly run_token?: string;
}

/** Report of a connection. */
export type ConnectionSignal<Event> =
	/** The start is about to be sent. */
	| { readonly type: "sent" }
	/** The connection was answered: with events, or with `start`. */
	| { readonly type: "opened"; readonly requestId: string; readonly start?: StartResponse }
	/** An event of so many characters has come. */
	| {
			readonly type: "event";
			readonly event: Event;
			readonly length: number;
			readonly requestId: string;
	  };

/** Occurrence that a stream reacts to. */
export type RunSignal<Event> =
	| ConnectionSignal<Event>
	/** A connection has ended, or is not waited for any more; `error` is what broke it. */
	| { readonly type: "disconnected"; readonly error?: unknown }
	/**
	 * `starved`: the reader has read all that was queued. `awaited`: the result is wanted. `cancelFailed`: the run may be
	 * cancelled again.
	 */
	| { readonly type: "started" | "starved" | "awaited" | "closed" | "cancelled" | "cancelFailed" }
	/** The caller wants nothing of the run any more, or a timeout has passed. */
	| { readonly type: "abandoned"; readonly error: unknown };

/** Effects of a step, to be carried out in this order. */
export interface RunEffects<Event, Result> {
	/** Event to queue for the reader. */
	event?: Event;
	/** Ends reading after what is queued. */
	end?: boolean;
	/** Fails reading after what is queued, and the result unless there is one. */
	failure?: { readonly error: unknown };
	/** Settles the result. */
	result?: Result;
	/** Ends the connection. */
	disconnect?: boolean;
	/** Reads on: at once where it is 0, else after a delay that grows with the number of tries. */
	connect?: number;
	/** Asks for the end of the run. */
	cancel?: boolean;
}

/** State after a signal, and what it asks for. */
export interface RunStep<Event, Result> {
	readonly state: RunStreamState<Result>;
	readonly effects: Readonly<RunEffects<Event, Result>>;
}

/** State of a stream that has done nothing yet. */
export const createRunState = <Result>(
	cursor: Partial<RunCursor>,
	maxRetries: number,
): RunStreamState<Result> => ({
	run_id: undefined,
	run_token: undefined,
	seq: 0,
	requestId: "",
	...cursor,
	isFollowed: cursor.run_id !== undefined,
	maxRetries,
	missingSeqs: [],
	isConnected: false,
	hasOpened: false,
	openedAt: 0,
	hasAdvanced: false,
	disconnects: 0,
	mayHaveStarted: false,
	mightHaveStarted: false,
	isDraining: false,
	isSettled: false,
	isAwaited: false,
	hasReader: true,
	droppedAfter: undefined,
	cancelState: undefined,
	paused: undefined,
});

/**
 * Checks whether the events or the result are still wanted, or the run's id to cancel it. Before a run has begun, its
 * connection stays open.
 */
export const needsConnection = (state: RunStreamState<unknown>): boolean =>
	(state.cancelState === "pending" && state.mayHaveStarted) ||
	(state.hasReader && state.droppedAfter === undefined) ||
	(!state.isSettled && (state.isAwaited || state.run_id === undefined));

/**
 * Checks whether an abort still has something to end. A run that was left goes on, whether the signal aborts or the time
 * runs out.
 */
export const isAbortable = ({ isSettled, hasReader, isConnected }: RunStreamState<unknown>): boolean =>
	isSettled ? hasReader : isConnected;

/** Checks whether a stream whose queue is full waits for its reader before it reads on. */
export const waitsForReader = ({ hasReader, isSettled, isAwaited }: RunStreamState<unknown>): boolean =>
	hasReader && (isSettled || !isAwaited);
