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
	/** Watches the caller's signal and the clock until the function that it returns is called. */
	watch(signal: AbortSignal | undefined): () => void;
}

export interface ExecutorOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	readonly onEvent: ((event: RunEvent) => void) | undefined;
}

export function createExecutor(run: RunState, { ports, host, onEvent }: ExecutorOptions): Executor {
	const scopes = createAbortScopes();
	const inbox: Signal[] = [];
	/** A listener threw: nobody is left to tell. */
	let isBroken = false;
	let resolve: (result: RunResult) => void;
	let reject: (error: unknown) => void;
	const result = new Promise<RunResult>((onResult, onError) => {
		resolve = onResult;
		reject = onError;
	});
	// It is awaited later than it may fail.
	result.catch(() => undefined);
	const world = { run, ports, scopes, dispatch, isBroken: () => isBroken };

	/**
	 * A listener may cancel the run: what comes in meanwhile waits, so that events keep their order, and commands wait for
	 * it, so that nothing is begun which is not wanted any more.
	 */
	function dispatch(signal: Signal): void {
		if (isBroken) return;
		inbox.push(signal);
		if (inbox.length > 1) return;
		try {
			for (const next of inbox) {
				run.now = host.now();
				transition(run, next, ports.validate);
				tell();
			}
		} catch (error) {
			isBroken = true;
			scopes.controllerOf(0).abort();
			reject(error);
		}
		inbox.length = 0;
		if (!isBroken) obey();
		if (run.result !== undefined) end(run.result);
	}

	/** A port may answer at once: what is carried out is no longer planned, whatever comes of it. */
	function obey(): void {
		for (let command = run.commands.shift(); command !== undefined; command = run.commands.shift())
			carryOut(world, command);
	}

	function end(result: RunResult): void {
		scopes.end();
		resolve(result);
	}

	function tell(): void {
		if (onEvent !== undefined)
			while (run.told < run.events.length) {
				const event = run.events[run.told];
				run.told += 1;
				if (event !== undefined) onEvent(event);
			}
		run.events.length = 0;
		run.told = 0;
	}

	function watch(signal: AbortSignal | undefined): () => void {
		const cancel = (): void => dispatch({ type: "cancel" });
		const left = Math.max(0, run.limits.timeoutMs - run.ranMs);
		const stopTimer = host.setTimer(left, () => dispatch({ type: "timeout" }));
		signal?.addEventListener("abort", cancel);
		if (signal?.aborted === true) cancel();
		return () => {
			stopTimer();
			signal?.removeEventListener("abort", cancel);
		};
	}

	return { result, dispatch, watch };
}
