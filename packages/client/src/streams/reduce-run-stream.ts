import { isJsonObject } from "@stemma/core/internal";
import { TimeoutError } from "../errors/errors";
import { createInvalidResponseError } from "../errors/invalid-response";
import { isRetryable } from "../http/retry";
import { createInvalidEventError } from "./event-source";
import { findFailure, wasHealthy } from "./reconnect";
import { isRunId } from "./run-cursor";
import {
	needsConnection,
	type RunEffects,
	type RunSignal,
	type RunStep,
	type RunStreamState,
	type StartResponse,
	type StreamEvent,
} from "./run-stream-state";

/** Maximum number of missing sequence numbers that are remembered. */
const MAX_MISSING_SEQS = 1000;

/** A state that is being made: nobody else has it yet. */
type Draft<Result> = { -readonly [Name in keyof RunStreamState<Result>]: RunStreamState<Result>[Name] };

/**
 * The one place where a stream of a run changes. Pure: no I/O, no clock, no chance. Gives each event once, over any
 * number of connections; decides when to connect, to try again, to give up, and to cancel.
 *
 * @param now - in epoch milliseconds.
 * @param isQueueFull - the reader is so far behind that events are not queued any more.
 * @throws StreamError, ApiError for an event or an answer that is none; the connection that it came over is broken then.
 */
export function reduceRunStream<Event extends StreamEvent, Result extends object>(
	before: RunStreamState<Result>,
	signal: RunSignal<Event>,
	now: number,
	isQueueFull: boolean,
): RunStep<Event, Result> {
	const state: Draft<Result> = { ...before };
	const effects: RunEffects<Event, Result> = {};
	if (signal.type === "event") {
		if (!advance(state, signal.event)) return { state: before, effects };
		onEvent(state, effects, signal.event, isQueueFull ? before.seq : undefined);
		state.requestId ||= signal.requestId;
	} else apply(state, effects, signal, now);
	if (state.cancelState === "pending" && state.run_id !== undefined) {
		state.cancelState = "requested";
		effects.cancel = true;
	}
	if (!needsConnection(state)) {
		if (!state.isDraining) disconnect(state, effects);
	} else if (!state.isConnected) {
		// A service that is asked for what comes behind a pause waits for it.
		if (state.paused === undefined) connect(state, effects);
		else finish(state, effects, state.paused);
	}
	return { state, effects };
}

function apply<Event, Result>(
	state: Draft<Result>,
	effects: RunEffects<Event, Result>,
	signal: Exclude<RunSignal<Event>, { readonly type: "event" }>,
	now: number,
): void {
	switch (signal.type) {
		case "sent":
			state.mayHaveStarted = true;
			return;
		case "opened":
			if (signal.start !== undefined) readStart(state, signal.start, signal.requestId);
			state.requestId ||= signal.requestId;
			state.hasOpened = true;
			state.openedAt = now;
			return;
		case "disconnected":
			return onDisconnected(state, effects, signal.error, now);
		case "starved":
			return onStarved(state, effects);
		case "awaited":
			state.isAwaited = true;
			return;
		case "closed":
			state.hasReader = false;
			state.isDraining = false;
			return;
		case "cancelled":
			if (!state.isSettled) state.cancelState ??= "pending";
			return;
		case "cancelFailed":
			if (state.cancelState === "requested") state.cancelState = undefined;
			return;
		case "abandoned":
			// Nothing is there to be stopped by an abort that came before.
			if (state.isSettled) state.cancelState = "done";
			else if (state.isFollowed && TimeoutError.is(signal.error)) state.cancelState ??= "done";
			else if (state.isConnected) state.cancelState ??= "pending";
			return reject(state, effects, signal.error);
	}
}

/** Reads a whole answer, which has no events, but names the run. */
function readStart(
	state: Draft<unknown>,
	{ run_id, id = run_id, run_token }: StartResponse,
	requestId: string,
): void {
	if (!isRunId(id)) throw createInvalidResponseError("The answer does not name the run.", requestId);
	state.run_id ??= id;
	state.run_token ??= run_token;
}

/**
 * Moves on to an event and returns whether it is new. Connections send events in order, and repeat some after a
 * reconnect: an event that is not above the last one is a repeat. But gaps are legal (client keys that see answers
 * alone), so a delayed event cannot be distinguished from a hidden one. It is not waited for; if it comes after all, it
 * is delivered late rather than lost.
 */
function advance(state: Draft<unknown>, { type, seq, run_id, run_token }: StreamEvent): boolean {
	const { missingSeqs } = state;
	if (seq <= state.seq) {
		state.missingSeqs = missingSeqs.filter((missing) => missing !== seq);
		return state.missingSeqs.length < missingSeqs.length;
	}
	const length = Math.min(seq - state.seq - 1, MAX_MISSING_SEQS - missingSeqs.length);
	if (length > 0)
		state.missingSeqs = [...missingSeqs, ...Array.from({ length }, (_, index) => state.seq + 1 + index)];
	state.seq = seq;
	if (state.run_id === undefined) {
		if (!isRunId(run_id)) throw createInvalidEventError(state.requestId);
		state.run_id = run_id;
	}
	if (type === "run.started") state.run_token ??= run_token;
	state.hasAdvanced = true;
	state.paused = undefined;
	return true;
}

function onEvent<Event extends StreamEvent, Result extends object>(
	state: Draft<Result>,
	effects: RunEffects<Event, Result>,
	event: Event,
	droppedAfter: number | undefined,
): void {
	if (state.hasReader) {
		state.droppedAfter ??= droppedAfter;
		if (state.droppedAfter === undefined) effects.event = event;
	}
	// The service ends the body now. One that is read to its end leaves a connection that serves again.
	state.isDraining = isLastEvent(event);
	if (!state.isDraining) return;
	const { type, result } = event;
	if (!isJsonObject(result)) throw createInvalidEventError(state.requestId);
	if (type === "run.paused") state.paused = result as Result;
	else finish(state, effects, result as Result);
}

/** `run.paused` ends this part of a run: it waits for a person. */
const isLastEvent = ({ type }: StreamEvent): boolean =>
	/^run\.(completed|failed|cancelled|paused)$/.test(type);

function onDisconnected<Event, Result>(
	state: Draft<Result>,
	effects: RunEffects<Event, Result>,
	error: unknown,
	now: number,
): void {
	const { paused, hasAdvanced } = state;
	state.isDraining = false;
	if (isRetryable(error, "if-not-started")) state.mayHaveStarted = state.mightHaveStarted;
	if (hasAdvanced || wasHealthy(state, error, now)) state.disconnects = 0;
	state.disconnects += 1;
	const failure = findFailure(state, error);
	// What is known of a run that waits for a person stands, wherever its connection is.
	if (paused !== undefined && (error === undefined || failure !== undefined)) finish(state, effects, paused);
	else if (!needsConnection(state)) return;
	else if (failure !== undefined) {
		state.cancelState = "done";
		reject(state, effects, failure);
	}
	// One that brought something and ended in good order, as one that has grown long does, is read on at once.
	else connect(state, effects, hasAdvanced && error === undefined ? 0 : state.disconnects);
}

/** The reader has come to where events were not kept: they are read again. */
function onStarved<Event, Result>(state: Draft<Result>, effects: RunEffects<Event, Result>): void {
	if (state.droppedAfter === undefined) return;
	state.seq = state.droppedAfter;
	state.droppedAfter = undefined;
	state.missingSeqs = [];
	state.paused = undefined;
	disconnect(state, effects);
}

function connect<Event, Result>(state: Draft<Result>, effects: RunEffects<Event, Result>, attempt = 0): void {
	state.isConnected = true;
	state.openedAt = Number.POSITIVE_INFINITY;
	state.mightHaveStarted = state.mayHaveStarted;
	state.hasAdvanced = false;
	effects.connect = attempt;
}

function disconnect<Event, Result>(state: Draft<Result>, effects: RunEffects<Event, Result>): void {
	if (state.isConnected) effects.disconnect = true;
	state.isConnected = false;
	state.isDraining = false;
	state.disconnects = 0;
}

function finish<Event, Result>(
	state: Draft<Result>,
	effects: RunEffects<Event, Result>,
	result: Result,
): void {
	state.cancelState = "done";
	if (state.droppedAfter === undefined) {
		state.hasReader = false;
		effects.end = true;
	}
	if (!state.isSettled) effects.result = result;
	state.isSettled = true;
}

function reject<Event, Result>(
	state: Draft<Result>,
	effects: RunEffects<Event, Result>,
	error: unknown,
): void {
	state.isDraining = false;
	state.hasReader = false;
	state.isSettled = true;
	effects.failure = { error };
}
