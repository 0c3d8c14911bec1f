import type { RunEvent, RunResult } from "@stemma/core";
import type { EngineHost, EnginePorts } from "./ports";
import type { ModelCommand, RetrieveCommand, RunState, Signal } from "./run-state";
import { toRunError } from "./to-run-error";
import { transition } from "./transition";

/** Carries out what a run wants of the world: the only part of the engine that waits for anything. */
export interface Executor {
	readonly result: Promise<RunResult>;
	dispatch(signal: Signal): void;
	/** Hands over the events and carries out the commands that have gathered. */
	drain(): void;
	/** Watches the caller's signal and the clock until the function that it returns is called. */
	watch(signal: AbortSignal | undefined): () => void;
}

export interface ExecutorOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	readonly onEvent: ((event: RunEvent) => void) | undefined;
}

export function createExecutor(run: RunState, { ports, host, onEvent }: ExecutorOptions): Executor {
	const whole = new AbortController();
	const scopes = new Map<number, AbortController>();
	let resolve: (result: RunResult) => void;
	let reject: (error: unknown) => void;
	const result = new Promise<RunResult>((onResult, onError) => {
		resolve = onResult;
		reject = onError;
	});
	// It is awaited later than it may fail.
	result.catch(() => undefined);

	function dispatch(signal: Signal): void {
		try {
			run.now = host.now();
			transition(run, signal, ports.validate);
			drain();
		} catch (error) {
			whole.abort();
			reject(error);
		}
	}

	function drain(): void {
		for (const event of run.events.splice(0)) onEvent?.(event);
		for (const command of run.commands.splice(0)) {
			if (command.type === "model") void callModel(command);
			else if (command.type === "retrieve") void retrieve(command);
			else if (command.type === "abort") controllerOf(command.scope).abort();
			else openScope(command.scope, controllerOf(command.within));
		}
		if (run.result !== undefined) resolve(run.result);
	}

	const controllerOf = (scope: number): AbortController => scopes.get(scope) ?? whole;

	function openScope(scope: number, within: AbortController): void {
		const controller = new AbortController();
		within.signal.addEventListener("abort", () => controller.abort(), { once: true });
		scopes.set(scope, controller);
	}

	async function callModel(command: ModelCommand): Promise<void> {
		const { signal } = controllerOf(command.invocation.scope);
		try {
			for await (const event of command.model.model.stream(command.request, { signal })) {
				if (!run.modelCalls.has(command)) return;
				if (event.type === "finish") return dispatch({ type: "reply", command, reply: event.reply });
				dispatch({ type: event.type === "text.delta" ? "text" : "reasoning", command, text: event.text });
			}
			dispatch({ type: "failed", command, error: CUT_OFF });
		} catch (error) {
			dispatch({ type: "failed", command, error: toRunError(error, "model_failed") });
		}
	}

	async function retrieve(command: RetrieveCommand): Promise<void> {
		try {
			const retrieval = await ports.retriever.retrieve(command.request, { signal: whole.signal });
			dispatch({ type: "passages", command, retrieval });
		} catch (error) {
			dispatch({ type: "failed", command, error: toRunError(error, "retrieval_failed") });
		}
	}

	function watch(signal: AbortSignal | undefined): () => void {
		const cancel = (): void => dispatch({ type: "cancel" });
		const stopTimer = host.setTimer(run.limits.timeoutMs, () => dispatch({ type: "timeout" }));
		signal?.addEventListener("abort", cancel);
		if (signal?.aborted === true) cancel();
		return () => {
			stopTimer();
			signal?.removeEventListener("abort", cancel);
		};
	}

	return { result, dispatch, drain, watch };
}

const CUT_OFF = {
	code: "model_cut_off",
	message: "The model's stream ended before its reply was whole.",
	hint: "Run it again; if it happens often, look at what stands between here and the model.",
};
