import type { RunEvent, RunResult } from "@stemma/core";
import { createAbortScopes } from "./abort-scopes";
import { carryOut } from "./carry-out";
import type { Signal } from "./command";
import type { EngineHost, EnginePorts } from "./ports";
import type { RunState } from "./run-state";
import { transition } from "./transition";

/** The loop of a run: what the world says goes into the run, and what the run wants of the world is carried out. */
export interface Executor {
	readonly result: Promise<RunResult>;
	/** Changes the run, hands over its events and carries out its commands. */
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
	/** What comes in while the run is told of something else. */
	let inbox: Signal[] | undefined;
	let isBusy = false;
	/** A listener threw: nobody is left to tell. */
	let isBroken = false;
	let stopWatching: (() => void) | undefined;
	let resolve: (result: RunResult) => void;
	let reject: (error: unknown) => void;
	const result = new Promise<RunResult>((onResult, onError) => {
		resolve = onResult;
		reject = onError;
	});
	const world = { run, ports, scopes, dispatch, isBroken: () => isBroken };

	/**
	 * A listener may cancel the run: what comes in meanwhile waits, so that events keep their order, and commands wait for
	 * it, so that nothing is begun which is not wanted any more.
	 */
	function dispatch(signal: Signal): void {
		if (isBroken) return;
		if (isBusy) {
			inbox ??= [];
			inbox.push(signal);
			return;
		}
		isBusy = true;
		try {
			take(signal);
			if (inbox !== undefined) for (const next of inbox) take(next);
		} catch (error) {
			breakOff(error);
		}
		inbox = undefined;
		isBusy = false;
		if (!isBroken) obey();
		if (run.result !== undefined) end(run.result);
	}

	function take(signal: Signal): void {
		run.now = host.now();
		transition(run, signal);
		tell();
	}

	function tell(): void {
		const { events } = run;
		if (events.length === 0) return;
		if (onEvent !== undefined)
			while (run.told < events.length) {
				const event = events[run.told];
				run.told += 1;
				if (event !== undefined) onEvent(event);
			}
		events.length = 0;
		run.told = 0;
	}

	/** A port may answer at once: what is carried out is no longer planned, whatever comes of it. */
	function obey(): void {
		for (let command = run.commands.shift(); command !== undefined; command = run.commands.shift())
			carryOut(world, command);
	}

	function end(result: RunResult): void {
		stopWatching?.();
		stopWatching = undefined;
		scopes.end();
		resolve(result);
	}

	function breakOff(error: unknown): void {
		isBroken = true;
		stopWatching?.();
		scopes.abort(0);
		reject(error);
		// It may be awaited later.
		result.catch(() => undefined);
	}

	function watch(signal: AbortSignal | undefined): void {
		if (isBroken || run.result !== undefined) return;
		const cancel = (): void => dispatch({ type: "cancel" });
		const left = Math.max(0, run.limits.timeoutMs - run.ranMs);
		const stopTimer = host.setTimer(left, () => dispatch({ type: "timeout" }));
		signal?.addEventListener("abort", cancel);
		stopWatching = () => {
			stopTimer();
			signal?.removeEventListener("abort", cancel);
		};
		if (signal?.aborted === true) cancel();
	}

	return { result, dispatch, watch };
}
