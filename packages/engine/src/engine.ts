import { type AgentGraph, ConfigurationError, type RunLimits, type RunResult } from "@stemma/core";
import { compileGraph } from "./compiled-graph";
import { createRunState } from "./create-run-state";
import { createExecutor } from "./executor";
import { checkLimits } from "./limits";
import type { EngineHost, EnginePorts } from "./ports";
import type { EngineRunOptions } from "./run-options";
import type { RunState } from "./run-state";
import { findUnsupported } from "./unsupported";

export interface EngineOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	/** The operator's limits; of these and the graph's the smaller count. */
	readonly limits?: RunLimits;
}

export interface Engine {
	/**
	 * Runs the graph once. Resolves for every ending, a failed and a cancelled one too.
	 *
	 * @throws ConfigurationError for input or context that is not JSON; nothing was started then.
	 */
	run(options: EngineRunOptions): Promise<RunResult>;
}

/**
 * Makes a valid graph ready to run over five ports. One engine serves any number of runs at once.
 *
 * @param graph - valid: from `defineAgent` or `validateAgent`.
 * @throws ConfigurationError for limits that are not whole numbers of 1 or more; `not_supported` for graphs with
 * parts that this version cannot run.
 */
export function createEngine(graph: AgentGraph, { ports, host, limits = {} }: EngineOptions): Engine {
	const unsupported = findUnsupported(graph);
	if (unsupported.length > 0)
		throw new ConfigurationError(`This version cannot run the graph: ${unsupported.join("; ")}.`, {
			code: "not_supported",
			hint: 'Use nodes without `approval`, and edges of mode "call", "before" and "then".',
		});
	checkLimits(limits);
	const compiled = compileGraph(graph);
	return {
		async run(options) {
			const run = createRunState(compiled, options, host, limits);
			return runGraph(run, { ports, host }, options);
		},
	};
}

async function runGraph(
	run: RunState,
	{ ports, host }: EngineOptions,
	{ signal, onEvent }: EngineRunOptions,
): Promise<RunResult> {
	const executor = createExecutor(run, { ports, host, onEvent });
	executor.dispatch({ type: "begin" });
	const stop = executor.watch(signal);
	try {
		return await executor.result;
	} finally {
		stop();
	}
}
