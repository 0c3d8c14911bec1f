import type { RunEvent, RunResult } from "@stemma/core";
import type { EngineHost, EnginePorts } from "../io/ports";
import { createAbortScopes } from "./abort-scopes";
import { clearList } from "./clear-list";
import type { Signal } from "./command";
import { type CommandContext, executeCommand } from "./execute-command";
import type { RunState } from "./run-state";
import { transition } from "./transition";

/** Event loop of a run: applies signals to the state of the run and executes the commands that result. */
export class Executor {
	readonly #run: RunState;
	readonly #host: EngineHost;
	readonly #onEvent: ExecutorOptions["onEvent"];
	readonly #context: CommandContext;
	/** Signals that arrive while the run handles another one. */
	#inbox: Signal[] | undefined;
	#isBusy = false;
	/** A listener threw: nobody is left to tell. */
	#isAborted = false;
	/** Signal of the caller that cancels the run. */
	#signal: AbortSignal | undefined;
	#stopTimer: (() => void) | undefined;
	#outcome: { resolve(result: RunResult): void; reject(error: unknown): void } | undefined;
	readonly result = new Promise<RunResult>((resolve, reject) => {
		this.#outcome = { resolve, reject };
	});

	constructor(run: RunState, { ports, host, onEvent }: ExecutorOptions) {
		this.#run = run;
		this.#host = host;
		this.#onEvent = onEvent;
		this.#context = {
			run,
			ports,
			scopes: createAbortScopes(),
			dispatch: (signal) => this.dispatch(signal),
			isAborted: () => this.#isAborted,
		};
	}

	/**
	 * Applies a signal to the run, delivers the events and executes the commands that result. A listener may cancel the run
	 * while it handles an event. Signals that arrive meanwhile are queued, so that events keep their order. Commands are
	 * executed last, so that nothing starts that was just cancelled.
	 */
	dispatch(signal: Signal): void {
		if (this.#isAborted) return;
		if (this.#isBusy) {
			this.#inbox ??= [];
			this.#inbox.push(signal);
			return;
		}
		this.#isBusy = true;
		try {
			this.#apply(signal);
			if (this.#inbox !== undefined) for (const next of this.#inbox) this.#apply(next);
		} catch (error) {
			this.#abort(error);
		}
		this.#inbox = undefined;
		this.#isBusy = false;
		if (!this.#isAborted) this.#flushCommands();
		if (this.#run.result !== undefined) this.#end(this.#run.result);
	}

	#apply(signal: Signal): void {
		this.#run.now = this.#host.now();
		transition(this.#run, signal);
		this.#flushEvents();
	}

	#flushEvents(): void {
		const run = this.#run;
		const { events } = run;
		if (events.length === 0) return;
		if (this.#onEvent !== undefined)
			while (run.deliveredEvents < events.length) {
				const event = events[run.deliveredEvents];
				run.deliveredEvents += 1;
				if (event !== undefined) this.#onEvent(event);
			}
		clearList(events);
		run.deliveredEvents = 0;
	}

	/** A port may answer at once: what is carried out is no longer queued, whatever comes of it. */
	#flushCommands(): void {
		const { commands } = this.#run;
		for (let command = commands.shift(); command !== undefined; command = commands.shift())
			executeCommand(this.#context, command);
	}

	#end(result: RunResult): void {
		this.#stopWatching();
		this.#context.scopes.end();
		this.#outcome?.resolve(result);
	}

	#abort(error: unknown): void {
		this.#isAborted = true;
		this.#stopWatching();
		this.#context.scopes.abort(0);
		this.#outcome?.reject(error);
		// It may be awaited later.
		this.result.catch(() => undefined);
	}

	/** Watches the caller's signal and the clock until the run is over. */
	watch(signal: AbortSignal | undefined): void {
		const { result, limits, previousRunMs } = this.#run;
		if (this.#isAborted || result !== undefined) return;
		const remainingMs = Math.max(0, limits.timeoutMs - previousRunMs);
		this.#stopTimer = this.#host.setTimer(remainingMs, () => this.dispatch({ type: "timeout" }));
		this.#signal = signal;
		signal?.addEventListener("abort", this.cancel);
		if (signal?.aborted === true) this.cancel();
	}

	/**
	 * A field that is set once: V8 puts a function that is written straight into another field (`this.#stop = () => …`) into
	 * the old generation, where it keeps all of a run that has ended until the next major collection.
	 */
	readonly cancel = (): void => this.dispatch({ type: "cancel" });

	#stopWatching(): void {
		this.#stopTimer?.();
		this.#stopTimer = undefined;
		this.#signal?.removeEventListener("abort", this.cancel);
	}
}

export interface ExecutorOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	readonly onEvent: ((event: RunEvent) => void) | undefined;
}
