import {
	type AgentGraph,
	ConfigurationError,
	type Json,
	type JsonObject,
	type RunEvent,
	type RunLimits,
	type RunResult,
} from "@stemma/core";
import type { Signal } from "./command";
import { type CompiledGraph, compileGraph } from "./compiled-graph";
import { createRunState } from "./create-run-state";
import { createExecutor } from "./executor";
import type { EngineHost, EnginePorts } from "./ports";
import { fillSystems, resolveModels } from "./prepare-run";
import type { RunState } from "./run-state";
import { findUnsupported } from "./unsupported";

export interface EngineOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	/** The operator's limits; of these and the graph's the smaller count. */
	readonly limits?: RunLimits;
}

export interface EngineRunOptions {
	/** Text, JSON, or `{messages: [{role, content}]}`. */
	readonly input: Json;
	/** Fills `{{context.path}}` in instructions. Default: empty. */
	readonly context?: JsonObject;
	/** Default: a new one. */
	readonly runId?: string;
	/** Cancels the run; what is under way is aborted at once. */
	readonly signal?: AbortSignal | undefined;
	/** Gets every event, in order, as it happens. If it throws, the run ends and `run` rejects with what it threw. */
	readonly onEvent?: (event: RunEvent) => void;
}

export interface Engine {
	/** Runs the graph once. Resolves for every ending, a failed and a cancelled one too. */
	run(options: EngineRunOptions): Promise<RunResult>;
}

/**
 * Makes a valid graph ready to run over five ports. One engine serves any number of runs at once.
 *
 * @param graph - valid: from `defineAgent` or `validateAgent`.
 * @throws {@link ConfigurationError} `not_supported` for graphs with parts that this version cannot run.
 */
export function createEngine(graph: AgentGraph, { ports, host, limits = {} }: EngineOptions): Engine {
	const unsupported = findUnsupported(graph);
	if (unsupported.length > 0)
		throw new ConfigurationError(`This version cannot run the graph: ${unsupported.join("; ")}.`, {
			code: "not_supported",
			hint: 'Use nodes of kind coordinator, agent and knowledge, and edges of mode "call", "before" and "then".',
		});
	const compiled = compileGraph(graph);
	return {
		run: (options) => {
			const run = createRunState(compiled, options, host, limits);
			return runGraph(compiled, run, { ports, host }, options);
		},
	};
}

async function runGraph(
	graph: CompiledGraph,
	run: RunState,
	{ ports, host }: EngineOptions,
	{ input, signal, onEvent }: EngineRunOptions,
): Promise<RunResult> {
	const executor = createExecutor(run, { ports, host, onEvent });
	executor.dispatch({ type: "begin" });
	const stop = executor.watch(signal);
	try {
		if (run.result === undefined) executor.dispatch(await prepare(graph, run, ports, input));
		return await executor.result;
	} finally {
		stop();
	}
}

/** Decides who answers before anything is paid for. */
async function prepare(
	graph: CompiledGraph,
	run: RunState,
	{ models }: EnginePorts,
	input: Json,
): Promise<Signal> {
	const resolved = await resolveModels(graph, models);
	if (!(resolved instanceof Map)) return { type: "refused", error: resolved };
	for (const [node, model] of resolved) run.models.set(node, model);
	for (const [node, system] of fillSystems(graph, run.context)) run.systems.set(node, system);
	return { type: "start", input };
}
