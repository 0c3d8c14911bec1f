import type { CheckedRunResult, OutputSchema } from "@stemma/client";
import {
	type AgentGraph,
	type ApprovalDecision,
	type Conversation,
	defineAgent,
	type Json,
	type RunEvent,
	RunFailedError,
	type RunLimits,
	type RunResult,
} from "@stemma/core";
import { createEngine, type EngineHost, type RunInterruption, type SerializedRun } from "@stemma/engine";
import { type AskForApproval, followApprovals, type Resume } from "./approvals";
import { checkOutput } from "./check-output";
import { createLocalPorts, type LocalPortsOptions } from "./create-local-ports";
import { platformHost } from "./host";
import { createRunStream, type LocalRunStream } from "./run-stream";

/** Options of `createLocalAgent`, a graph with its ports, ready to run. */
export interface LocalAgentOptions extends LocalPortsOptions {
	/** Met with the graph's limits: of two figures the smaller counts. */
	readonly limits?: RunLimits;
	/** Clock, timers and ids; for tests. Default: the platform's. */
	readonly host?: EngineHost;
}

export interface LocalRunOptions {
	/**
	 * Text, JSON, or a conversation: `{messages: [{role, content}]}`, whose content is text or text parts. An object may be of
	 * an interface; what JSON cannot hold is refused with `invalid_input`, and so are other roles and parts.
	 */
	readonly input: Json | Conversation | object;
	/** Fills `{{context.path}}` in instructions: an object of JSON, else `invalid_context`. */
	readonly context?: object;
	/** The context is data, and no part of instructions: for context from someone who may not write them. Default false. */
	readonly untrustedContext?: boolean;
	/** `run_…`; default: a new one. */
	readonly runId?: string;
	/** Cancels the run. */
	readonly signal?: AbortSignal | undefined;
	/** Gets each event as it happens, before a reader does. What it throws ends the run. */
	readonly onEvent?: ((event: RunEvent) => void) | undefined;
	/**
	 * Asked when the run pauses, for all open approvals at once; the run goes on with the answers, and pauses for good where
	 * none is given. If it throws, nothing was decided: the run fails with that, and can still be saved as it paused.
	 * Default: the run ends with the status `paused`.
	 */
	readonly onApproval?: AskForApproval | undefined;
}

/** Options for resuming a saved run. */
export interface LocalResumeOptions {
	/**
	 * Decisions on open approvals. Approvals without one stay open, unless they have expired: then they are denied.
	 * Default: none.
	 */
	readonly decisions?: readonly ApprovalDecision[];
	/** Set for a run that was cut off after it was saved. Default: it has paused, or handed over nothing since. */
	readonly interruption?: RunInterruption | undefined;
	/** Cancels the run. */
	readonly signal?: AbortSignal | undefined;
	/** Listener for events, as for a new run. */
	readonly onEvent?: ((event: RunEvent) => void) | undefined;
	/** Callback that asks for a decision, as for a new run; not called for approvals that `decisions` has. */
	readonly onApproval?: AskForApproval | undefined;
}

/** An agent graph that runs in this process. Any number of runs may be under way at once. */
export interface LocalAgent {
	/** The graph, checked and frozen. */
	readonly graph: AgentGraph;
	/**
	 * Runs the graph and keeps no events. Completed, paused and cancelled runs resolve, with `status`; so does one that
	 * an aborted signal has cancelled.
	 *
	 * @param options - with `output`, a Standard Schema, the output of a completed run is checked and typed.
	 * @throws RunFailedError for a failed run; it carries the result with what was done so far.
	 */
	run<Output>(
		options: LocalRunOptions & { readonly output: OutputSchema<Output> },
	): Promise<CheckedRunResult<Output>>;
	run(options: LocalRunOptions): Promise<RunResult>;
	/**
	 * Starts a run at once; its events are read from the stream as they happen. It does not wait for its reader: events
	 * that were not read yet are kept until they are, or until the stream is closed or its loop is left.
	 *
	 * @throws ConfigurationError for input or context that is not JSON, at once, when nothing was started; `run` rejects.
	 */
	stream(options: LocalRunOptions): LocalRunStream;
	/**
	 * Continues a run that was saved by `LocalRunStream.serialize`, in any process with the same graph.
	 *
	 * @throws ConfigurationError as `Engine.resume` of `@stemma/engine` does.
	 */
	resume(saved: SerializedRun, options?: LocalResumeOptions): LocalRunStream;
}

/**
 * Makes an agent graph runnable in this process: Node, a browser, React Native.
 *
 * @throws AgentGraphError for an invalid graph, with every violation.
 * @throws ConfigurationError when a port or tool that the graph needs is missing, a tool or what a node fixes of its
 * arguments cannot be used, a pin is of no server that it calls, or the graph cannot run here.
 */
export function createLocalAgent(
	graph: AgentGraph,
	{ limits, host = platformHost, ...options }: LocalAgentOptions,
): LocalAgent {
	const checked = defineAgent(graph);
	const engine = createEngine(checked, {
		ports: createLocalPorts(checked, options),
		host,
		...(limits === undefined ? {} : { limits }),
	});

	function run<Output>(
		options: LocalRunOptions & { readonly output: OutputSchema<Output> },
	): Promise<CheckedRunResult<Output>>;
	function run(options: LocalRunOptions): Promise<RunResult>;
	async function run<Output>({
		output,
		onApproval,
		signal,
		...options
	}: LocalRunOptions & { readonly output?: OutputSchema<Output> }) {
		const { onEvent } = options;
		const resume: Resume = (saved, decisions) => engine.resume(saved, { decisions, onEvent });
		const result = await followApprovals(engine.start(options), resume, { onApproval, signal }).result;
		if (result.status === "failed") throw new RunFailedError(result);
		return output === undefined ? result : checkOutput(result, output);
	}

	return {
		graph: checked,
		run,
		stream: ({ signal, onApproval, onEvent, ...options }) =>
			createRunStream((observer) => engine.start({ ...options, ...observer }), {
				engine,
				signal,
				onApproval,
				onEvent,
			}),
		resume: (saved, { signal, onApproval, onEvent, ...options } = {}) =>
			createRunStream((observer) => engine.resume(saved, { ...options, ...observer }), {
				engine,
				signal,
				onApproval,
				onEvent,
			}),
	};
}
