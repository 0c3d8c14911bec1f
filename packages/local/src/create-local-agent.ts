import {
	type AgentGraph,
	ConfigurationError,
	defineAgent,
	type Json,
	type JsonObject,
	RunFailedError,
	type RunLimits,
	type RunResult,
	type RunStream,
} from "@stemma/core";
import { createEngine, type EngineHost, type EnginePorts } from "@stemma/engine";
import { platformHost } from "./host";
import { createRunStream } from "./run-stream";
import { validateSchema } from "./validate-schema";

/** What a local agent needs of the world. A port that the graph has no use for may be left out. */
export type LocalPorts = Partial<EnginePorts>;

export interface LocalAgentOptions {
	/** `validate` is built in: JSON Schema draft 2020-12, without `eval`. */
	readonly ports: LocalPorts;
	/** Met with the graph's limits: of two figures the smaller counts. */
	readonly limits?: RunLimits;
	/** Clock, timers and ids; for tests. Default: the platform's. */
	readonly host?: EngineHost;
}

export interface LocalRunOptions {
	/** Text, JSON, or `{messages: [{role, content}]}`. */
	readonly input: Json;
	/** Fills `{{context.path}}` in instructions. */
	readonly context?: JsonObject;
	/** The context is data, and no part of instructions: for context from someone who may not write them. Default false. */
	readonly untrustedContext?: boolean;
	/** `run_…`; default: a new one. */
	readonly runId?: string;
	/** Cancels the run. */
	readonly signal?: AbortSignal | undefined;
}

/** An agent graph that runs in this process. Any number of runs may be under way at once. */
export interface LocalAgent {
	/** The graph, checked and frozen. */
	readonly graph: AgentGraph;
	/**
	 * Runs the graph. Completed and cancelled runs resolve, with `status`.
	 *
	 * @throws {@link RunFailedError} for a failed run; it carries the result with what was done so far.
	 */
	run(options: LocalRunOptions): Promise<RunResult>;
	/** Starts a run at once; its events are read from the stream as they happen. */
	stream(options: LocalRunOptions): RunStream;
}

/**
 * Makes an agent graph runnable in this process: Node, a browser, React Native.
 *
 * @throws AgentGraphError for an invalid graph, with every violation.
 * @throws {@link ConfigurationError} when a port that the graph needs is missing, or the graph cannot run here.
 */
export function createLocalAgent(
	graph: AgentGraph,
	{ ports, limits, host = platformHost }: LocalAgentOptions,
): LocalAgent {
	const checked = defineAgent(graph);
	const engine = createEngine(checked, {
		ports: fillPorts(checked, ports),
		host,
		...(limits === undefined ? {} : { limits }),
	});
	return {
		graph: checked,
		async run(options) {
			const result = await engine.run(options);
			if (result.status === "failed") throw new RunFailedError(result);
			return result;
		},
		stream: (options) => createRunStream(engine, options),
	};
}

function fillPorts({ nodes }: AgentGraph, ports: LocalPorts): EnginePorts {
	const {
		models,
		retriever,
		tools = noPort("tools"),
		agents = noPort("agents"),
		validate = validateSchema,
	} = ports;
	const missing = [
		...(models === undefined ? ["`models`: something has to answer for its coordinator"] : []),
		...(retriever === undefined && nodes.some(({ kind }) => kind === "knowledge")
			? ["`retriever`: it has knowledge nodes"]
			: []),
	];
	if (missing.length > 0)
		throw new ConfigurationError(`The graph needs ports that were not given: ${missing.join("; ")}.`, {
			hint: "Pass them in the option `ports`.",
		});
	return {
		models: models ?? noPort("models"),
		retriever: retriever ?? noPort("retriever"),
		tools,
		agents,
		validate,
	};
}

/** Stands where a graph has no use for a port, and says so if that was wrong. */
function noPort<Name extends keyof EnginePorts>(name: Name): EnginePorts[Name] {
	const missing = (): never => {
		throw new ConfigurationError(`The port \`${name}\` is needed and was not given.`, {
			hint: "Pass it in the option `ports`.",
		});
	};
	// Every method of every port fails in the same way, so one proxy serves for all of them.
	return new Proxy({}, { get: () => missing }) as EnginePorts[Name];
}
