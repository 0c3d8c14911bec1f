import type { RunEvent, RunResult } from "@stemma/core";
import type { EngineHost, EnginePorts } from "../io/ports";
import { createAbortScopes } from "./abort-scopes";
import type { Signal } from "./command";
import { executeCommand } from "./execute-command";
import type { RunState } from "./run-state";
import { transition } from "./transition";

/** Event loop of a run: applies signals to the state of the run and executes the commands that result. */
export interface Executor {
	readonly result: Promise<RunResult>;
	/** Applies a signal to the run, delivers the events and executes the commands that result. */
	dispatch(signal: Signal): void;
	/** Watches the caller's signal and the clock until the run is over. */
	watch(signal: AbortSignal | undefined): void;
}

export interface ExecutorOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	readonly onEvent: ((event: RunEvent) => void) | undefined;
}

export function createExecutor(run: RunState, { ports, host, onEvent }: ExecutorOptions): Executor {
	const scopes = createAbortScopes();
	/** Signals that arrive while the run handles another one. */
	let inbox: Signal[] | undefined;
	let isBusy = false;
	/** A listener threw: nobody is left to tell. */
	let isAborted = false;
	let stopWatching: (() => void) | undefined;
	let resolve: (result: RunResult) => void;
	let reject: (error: unknown) => void;
	const result = new Promise<RunResult>((onResult, onError) => {
		resolve = onResult;
		reject = onError;
	});
	const context = { run, ports, scopes, dispatch, isAborted: () => isAborted };

	/**
	 * Applies a signal. A listener may cancel the run while it handles an event. Signals that arrive meanwhile are queued,
	 * so that events keep their order. Commands are executed last, so that nothing starts that was just cancelled.
	 */
	function dispatch(signal: Signal): void {
		if (isAborted) return;
		if (isBusy) {
			inbox ??= [];
			inbox.push(signal);
			return;
		}
		isBusy = true;
		try {
			apply(signal);
			if (inbox !== undefined) for (const next of inbox) apply(next);
		} catch (error) {
			abort(error);
		}
		inbox = undefined;
		isBusy = false;
		if (!isAborted) flushCommands();
		if (run.result !== undefined) end(run.result);
	}

	function apply(signal: Signal): void {
		run.now = host.now();
		transition(run, signal);
		flushEvents();
	}

	function flushEvents(): void {
		const { events } = run;
		if (events.length === 0) return;
		if (onEvent !== undefined)
			while (run.deliveredEvents < events.length) {
				const event = events[run.deliveredEvents];
				run.deliveredEvents += 1;
				if (event !== undefined) onEvent(event);
			}
		events.length = 0;
		run.deliveredEvents = 0;
	}

	/** A port may answer at once: what is carried out is no longer queued, whatever comes of it. */
	function flushCommands(): void {
		for (let command = run.commands.shift(); command !== undefined; command = run.commands.shift())
			executeCommand(context, command);
	}

	function end(result: RunResult): void {
		stopWatching?.();
		stopWatching = undefined;
		scopes.end();
		resolve(result);
	}

	function abort(error: unknown): void {
		isAborted = true;
		stopWatching?.();
		scopes.abort(0);
		reject(error);
		// It may be awaited later.
		result.catch(() => undefined);
	}

	function watch(signal: AbortSignal | undefined): void {
		if (isAborted || run.result !== undefined) return;
		const cancel = (): void => dispatch({ type: "cancel" });
		const remainingMs = Math.max(0, run.limits.timeoutMs - run.previousRunMs);
		const stopTimer = host.setTimer(remainingMs, () => dispatch({ type: "timeout" }));
		signal?.addEventListener("abort", cancel);
		stopWatching = () => {
			stopTimer();
			signal?.removeEventListener("abort", cancel);
		};
		if (signal?.aborted === true) cancel();
	}

	return { result, dispatch, watch };
}
