import type { AgentGraph, ApprovalDecision, RunLimits, RunResult } from "@stemma/core";
import { compileGraph } from "./graph/compiled-graph";
import { fingerprintGraph } from "./graph/fingerprint";
import type { EngineHost, EnginePorts } from "./io/ports";
import { assertDecision, assertDecisions } from "./run/assert-decision";
import type { Signal } from "./run/command";
import { createRunState } from "./run/create-run-state";
import { Executor } from "./run/executor";
import { checkLimits, mergeLimits } from "./run/limits";
import type { EngineResumeOptions, EngineRunOptions } from "./run/run-options";
import type { RunState } from "./run/run-state";
import { decodeRun } from "./snapshot/decode-run";
import { encodeRun } from "./snapshot/encode-run";
import type { SerializedRun } from "./snapshot/serialized-run";

/** Options of `createEngine`, which runs a graph over ports from start to end. */
export interface EngineOptions {
	readonly ports: EnginePorts;
	readonly host: EngineHost;
	/** The operator's limits; of these and the graph's the smaller count. */
	readonly limits?: RunLimits;
	/**
	 * Calls of models, tools and remote agents that one run has in flight at once; the others wait, in order. Whoever
	 * waits for what it called is not in flight. Retrieval does not count. Default 8.
	 */
	readonly maxConcurrentCalls?: number;
}

export interface Engine {
	/**
	 * Runs the graph once. Resolves for every ending, a failed and a cancelled one too, and when the run pauses.
	 *
	 * @throws ConfigurationError for input or context that is not JSON; nothing was started then.
	 */
	run(options: EngineRunOptions): Promise<RunResult>;
	/**
	 * Starts a run, for programs that save runs or decide on approvals; otherwise like `run`.
	 *
	 * @throws ConfigurationError as `run` does, synchronously.
	 */
	start(options: EngineRunOptions): EngineRun;
	/**
	 * Continues a run that was saved. Calls of tools and remote agents that were in flight when it was saved are not
	 * repeated: whoever called is told `outcome_unknown`, unless the tool is idempotent. Models and retrieval are asked again,
	 * and the first call to a model stays on the receipt, as an estimate.
	 *
	 * @throws ConfigurationError `graph_changed` for a run of another graph, `invalid_run` for what is no saved run, and
	 * `approval_not_found` for a decision on what is not open, or `invalid_decision`; nothing was started then.
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
	 * @throws ConfigurationError `run_ended` for a run that has completed, failed or was cancelled, once its last event was
	 * handed over.
	 */
	serialize(): SerializedRun;
	/**
	 * Decides on an approval that is open while the run still goes on.
	 *
	 * @throws ConfigurationError `approval_not_found` for one that is not, or not any more, and `invalid_decision`.
	 */
	decide(decision: ApprovalDecision): void;
	/** Cancels the run, as its signal does; nothing happens to one that has ended or paused. */
	cancel(): void;
}

/**
 * Makes a valid graph ready to run over five ports. One engine serves any number of runs at once.
 *
 * @param graph - valid: from `defineAgent` or `validateAgent`.
 * @throws ConfigurationError for limits that are not whole numbers of 1 or more.
 */
export function createEngine(graph: AgentGraph, options: EngineOptions): Engine {
	const { ports, host, limits = {}, maxConcurrentCalls } = options;
	checkLimits(limits, maxConcurrentCalls);
	const compiled = compileGraph(graph);
	const effective = mergeLimits(compiled.limits, limits, maxConcurrentCalls);
	let cachedFingerprint: string | undefined;
	const fingerprint = (): string => {
		cachedFingerprint ??= fingerprintGraph(graph);
		return cachedFingerprint;
	};

	function start(runOptions: EngineRunOptions): EngineRun {
		const run = createRunState(compiled, runOptions, host, effective);
		const { signal, onEvent } = runOptions;
		return runGraph(run, { type: "start" }, { ports, host, signal, onEvent, fingerprint });
	}

	return {
		async run(runOptions) {
			return start(runOptions).result;
		},
		start,
		resume(saved, { decisions = [], interruption, ...resumeOptions } = {}) {
			const decodeOptions = { graph: compiled, fingerprint: fingerprint(), limits: effective, host };
			const run = decodeRun(saved, { ...decodeOptions, interruption });
			assertDecisions(run, decisions);
			run.decisions.push(...decisions.map((decision) => addDecisionTime(decision, host.now())));
			const { signal, onEvent } = resumeOptions;
			return runGraph(
				run,
				{ type: "resume", withdrawsText: interruption?.hasText ?? false },
				{ ports, host, signal, onEvent, fingerprint },
			);
		},
	};
}

/** A run that is saved before it takes note of a decision still knows when it was given. */
const addDecisionTime = (decision: ApprovalDecision, now: number): ApprovalDecision => ({
	...decision,
	decided_at: decision.decided_at ?? new Date(now).toISOString(),
});

interface RunGraphOptions extends Pick<EngineOptions, "ports" | "host"> {
	readonly signal: EngineRunOptions["signal"];
	readonly onEvent: EngineRunOptions["onEvent"];
	fingerprint(): string;
}

function runGraph(
	run: RunState,
	first: Signal,
	{ ports, host, signal, onEvent, fingerprint }: RunGraphOptions,
): EngineRun {
	const executor = new Executor(run, { ports, host, onEvent });
	executor.dispatch(first);
	executor.watch(signal);
	return {
		runId: run.runId,
		result: executor.result,
		serialize: () => encodeRun(run, fingerprint(), host.now()),
		decide(decision) {
			assertDecision(run, decision);
			run.decisions.push(addDecisionTime(decision, host.now()));
			executor.dispatch({ type: "decide" });
		},
		cancel: executor.cancel,
	};
}
