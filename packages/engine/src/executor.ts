import type { ChatEvent, RunEvent, RunResult } from "@stemma/core";
import type { Command, ModelCommand, RemoteCommand, RetrieveCommand, Signal, ToolCommand } from "./command";
import { describeTools } from "./describe-tools";
import { readReceipt } from "./port-receipt";
import { checkReply, checkRetrieval } from "./port-results";
import type { EngineHost, EnginePorts } from "./ports";
import { resolveModels } from "./prepare-run";
import type { CallReport } from "./receipt";
import { requestAgent } from "./request-agent";
import { requestTool } from "./request-tool";
import type { RunState } from "./run-state";
import { toRunError } from "./to-run-error";
import { transition } from "./transition";

/** Carries out what a run wants of the world: the only part of the engine that waits for anything. */
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
	const whole = new AbortController();
	const scopes = new Map<number, AbortController>();
	/** Tools may go on after their result: they hear of the end of the run, where models have nothing left to abort. */
	const toolScopes = new Map<number, AbortController>();
	const waiting: Signal[] = [];
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

	/**
	 * A listener may cancel the run: what comes in meanwhile waits, so that events keep their order, and commands wait for
	 * it, so that nothing is begun which is not wanted any more.
	 */
	function dispatch(signal: Signal): void {
		if (isBroken) return;
		waiting.push(signal);
		if (waiting.length > 1) return;
		try {
			for (const next of waiting) {
				run.now = host.now();
				transition(run, next, ports.validate);
				tell();
			}
		} catch (error) {
			isBroken = true;
			whole.abort();
			reject(error);
		}
		waiting.length = 0;
		if (!isBroken) for (const command of run.commands.splice(0)) execute(command);
		if (run.result !== undefined) end(run.result);
	}

	function end(result: RunResult): void {
		for (const controller of toolScopes.values()) controller.abort();
		resolve(result);
	}

	function tell(): void {
		if (onEvent !== undefined) for (const event of run.events) onEvent(event);
		run.events.length = 0;
	}

	function execute(command: Command): void {
		if (command.type === "model") void callModel(command);
		else if (command.type === "retrieve") void retrieve(command);
		else if (command.type === "tool") void callTool(command);
		else if (command.type === "remote") void callAgent(command);
		else if (command.type === "resolve") void resolveAll();
		else if (command.type === "abort") controllerOf(command.scope).abort();
		else scopes.set(command.scope, createWithin(controllerOf(command.within)));
	}

	const controllerOf = (scope: number): AbortController => scopes.get(scope) ?? whole;

	function toolSignalOf(scope: number): AbortSignal {
		const known = toolScopes.get(scope);
		if (known !== undefined) return known.signal;
		const controller = createWithin(controllerOf(scope));
		toolScopes.set(scope, controller);
		return controller.signal;
	}

	async function resolveAll(): Promise<void> {
		const options = { signal: whole.signal };
		const [models, tools] = await Promise.all([
			resolveModels(run.graph, ports.models, run.runId, options),
			describeTools(run.graph, ports.tools, options),
		]);
		if (!(models instanceof Map)) dispatch({ type: "refused", error: models });
		else if (!(tools instanceof Map)) dispatch({ type: "refused", error: tools });
		else dispatch({ type: "resolved", models, tools });
	}

	async function callModel(command: ModelCommand): Promise<void> {
		const { signal } = controllerOf(command.invocation.scope);
		try {
			for await (const event of command.model.model.stream(command.request, { signal })) {
				const heard = toSignal(command, event);
				if (heard !== undefined) dispatch(heard);
				// Answered, or given up: leaving the loop ends the stream, also of a model that does not heed the signal.
				if (isBroken || !run.modelCalls.has(command)) return;
			}
			dispatch({ type: "failed", command, error: CUT_OFF });
		} catch (error) {
			dispatch({
				type: "failed",
				command,
				error: toRunError(error, "model_failed"),
				spent: readSpent(error),
			});
		}
	}

	async function retrieve(command: RetrieveCommand): Promise<void> {
		try {
			const retrieval = await ports.retriever.retrieve(command.request, { signal: whole.signal });
			dispatch({ type: "passages", command, retrieval: checkRetrieval(retrieval) });
		} catch (error) {
			dispatch({
				type: "failed",
				command,
				error: toRunError(error, "retrieval_failed"),
				receipt: readReceipt(error),
			});
		}
	}

	async function callTool(command: ToolCommand): Promise<void> {
		const { invocation, request } = command;
		// A sibling failed before it was begun.
		if (invocation.closed) return;
		const signal = toolSignalOf(invocation.scope);
		const outcome = await requestTool(ports.tools, request, { signal });
		if ("error" in outcome) dispatch({ type: "failed", command, error: outcome.error });
		else dispatch({ type: "output", command, output: outcome.output });
	}

	async function callAgent(command: RemoteCommand): Promise<void> {
		// A port may tell of text at once: the commands beside this one are begun first, or found to be unwanted.
		await undefined;
		const { invocation, request } = command;
		const isUnwanted = (): boolean => isBroken || run.result !== undefined || invocation.closed;
		if (isUnwanted()) return;
		const { signal, abort, release } = followSignal(controllerOf(invocation.scope).signal);
		const outcome = await requestAgent(ports.agents, request, {
			signal,
			onText(text) {
				if (isUnwanted() || typeof text !== "string" || text === "") return;
				dispatch({ type: "told", command, text });
				// It said too much, or what it says is not wanted any more.
				if (isUnwanted()) abort();
			},
			onReset: () => dispatch({ type: "untold", command }),
		});
		release();
		if ("error" in outcome) dispatch({ type: "failed", command, ...outcome });
		else dispatch({ type: "outcome", command, outcome: outcome.outcome });
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

	return { result, dispatch, watch };
}

/** Aborts with the outer one, and may be aborted alone. */
function createWithin(outer: AbortController): AbortController {
	const controller = new AbortController();
	if (outer.signal.aborted) controller.abort();
	else outer.signal.addEventListener("abort", () => controller.abort(), { once: true });
	return controller;
}

/** As the outer one until it is released, and may be aborted alone. */
function followSignal(outer: AbortSignal) {
	const controller = new AbortController();
	const abort = (): void => controller.abort();
	if (outer.aborted) abort();
	else outer.addEventListener("abort", abort, { once: true });
	return {
		signal: controller.signal,
		abort,
		release: (): void => outer.removeEventListener("abort", abort),
	};
}

/** Events that only a newer model knows are passed over. */
function toSignal(command: ModelCommand, event: ChatEvent): Signal | undefined {
	switch (event.type) {
		case "finish":
			return { type: "reply", command, reply: checkReply(event.reply) };
		case "text.delta":
			return { type: "text", command, text: String(event.text) };
		case "reasoning.delta":
			return { type: "reasoning", command, text: String(event.text) };
		default:
			return undefined;
	}
}

const CUT_OFF = {
	code: "model_cut_off",
	message: "The model's stream ended before its reply was whole.",
	hint: "Run it again; if it happens often, look at what stands between here and the model.",
};

/** Errors of models may tell how often the call was tried, and what it took. */
function readSpent(error: unknown): CallReport {
	if (typeof error !== "object" || error === null) return {};
	try {
		const { attempts, usage }: CallReport = error;
		return { ...(attempts === undefined ? {} : { attempts }), ...(usage === undefined ? {} : { usage }) };
	} catch {
		// What is thrown may throw when it is read.
		return {};
	}
}
