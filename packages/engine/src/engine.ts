import {
	type AgentGraph,
	type ApprovalDecision,
	ConfigurationError,
	type RunLimits,
	type RunResult,
} from "@stemma/core";
import { compileGraph } from "./compiled-graph";
import { createRunState } from "./create-run-state";
import { createExecutor } from "./executor";
import { checkLimits } from "./limits";
import type { EngineHost, EnginePorts } from "./ports";
import type { EngineResumeOptions, EngineRunOptions } from "./run-options";
import type { RunState } from "./run-state";
import type { SerializedRun } from "./serialized-run";
import { findUnsupported } from "./unsupported";

export interface EngineOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	/** The operator's limits; of these and the graph's the smaller count. */
	readonly limits?: RunLimits;
}

export interface Engine {
	/**
	 * Runs the graph once. Resolves for every ending, a failed and a cancelled one too, and when the run pauses.
	 *
	 * @throws ConfigurationError for input or context that is not JSON; nothing was started then.
	 */
	run(options: EngineRunOptions): Promise<RunResult>;
	/**
	 * As `run`, for those who save runs or decide on approvals.
	 *
	 * @throws ConfigurationError as `run` does, at once.
	 */
	start(options: EngineRunOptions): EngineRun;
	/**
	 * Continues a run that was saved. Calls of tools and remote agents that were out when it was saved are not repeated:
	 * whoever called is told `outcome_unknown`, unless the tool is idempotent. Models and retrieval are asked again, and the
	 * first call to a model stays on the receipt, as an estimate.
	 *
	 * @throws ConfigurationError `graph_changed` for a run of another graph, `invalid_run` for what is no saved run, and
	 * `approval_not_found` for a decision on what is not open; nothing was started then.
	 */
	resume(saved: SerializedRun, options?: EngineResumeOptions): EngineRun;
}

/** A run under way. */
export interface EngineRun {
	readonly runId: string;
	/** Every ending, and a pause: a run that has paused goes on by `Engine.resume` alone. */
	readonly result: Promise<RunResult>;
	/**
	 * The run as it stands, between two steps: at any moment, also from within `onEvent`, where it holds the events that
	 * were not handed over yet; and once it has paused.
	 *
	 * @throws ConfigurationError `run_ended` for a run that has completed, failed or was cancelled.
	 */
	serialize(): SerializedRun;
	/**
	 * Decides on an approval that is open while the run still goes on.
	 *
	 * @throws ConfigurationError `approval_not_found` for one that is not, or not any more.
	 */
	decide(decision: ApprovalDecision): void;
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
	function start(options: EngineRunOptions): EngineRun {
		const run = createRunState(compiled, options, host, limits);
		return {
			runId: run.runId,
			result: runGraph(run, { ports, host }, options),
			serialize: notYet,
			decide: notYet,
		};
	}
	return {
		run: async (options) => start(options).result,
		start,
		resume: notYet,
	};
}

function notYet(): never {
	throw new ConfigurationError("Runs cannot be saved yet.", { code: "not_supported" });
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
