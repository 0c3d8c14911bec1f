import type { CheckedRunResult, OutputSchema } from "@stemma/client";
import {
	type AgentGraph,
	ConfigurationError,
	defineAgent,
	type Json,
	RunFailedError,
	type RunLimits,
	type RunResult,
	type RunStream,
} from "@stemma/core";
import { createEngine, type EngineHost, type EnginePorts } from "@stemma/engine";
import { checkOutput } from "./check-output";
import { codeTools, demandTools, readTools } from "./code-tools";
import type { LocalTools } from "./define-tool";
import { checkFixedArguments } from "./fixed-arguments";
import { platformHost } from "./host";
import { createRunStream } from "./run-stream";
import { validateSchema } from "./validate-schema";

/** What a local agent needs of the world. A port that the graph has no use for may be left out. */
export type LocalPorts = Partial<EnginePorts>;

export interface LocalAgentOptions {
	/** `validate` is built in: JSON Schema draft 2020-12, without `eval`. */
	readonly ports: LocalPorts;
	/** What the `tool` nodes of the graph call, by the names that they have there. */
	readonly tools?: LocalTools;
	/** Met with the graph's limits: of two figures the smaller counts. */
	readonly limits?: RunLimits;
	/** Clock, timers and ids; for tests. Default: the platform's. */
	readonly host?: EngineHost;
}

export interface LocalRunOptions {
	/**
	 * Text, JSON, or `{messages: [{role, content}]}`. An object may be of an interface; what JSON cannot hold is refused
	 * with `invalid_input`.
	 */
	readonly input: Json | object;
	/** Fills `{{context.path}}` in instructions: an object of JSON, else `invalid_context`. */
	readonly context?: object;
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
	 */
	stream(options: LocalRunOptions): RunStream;
}

/**
 * Makes an agent graph runnable in this process: Node, a browser, React Native.
 *
 * @throws AgentGraphError for an invalid graph, with every violation.
 * @throws ConfigurationError when a port or tool that the graph needs is missing, a tool or what a node fixes of its
 * arguments cannot be used, or the graph cannot run here.
 */
export function createLocalAgent(
	graph: AgentGraph,
	{ ports, tools, limits, host = platformHost }: LocalAgentOptions,
): LocalAgent {
	const checked = defineAgent(graph);
	if (tools !== undefined && ports.tools !== undefined) throw toolsGivenTwice();
	const ready = readTools(tools ?? {});
	const engine = createEngine(checked, {
		ports: fillPorts(checked, tools === undefined ? ports : { ...ports, tools: codeTools(ready) }),
		host,
		...(limits === undefined ? {} : { limits }),
	});
	if (ports.tools === undefined) {
		demandTools(checked, ready);
		const schemas = [...ready].map(([name, { parameters }]) => [name, parameters.jsonSchema] as const);
		checkFixedArguments(checked, new Map(schemas));
	}

	async function run<Output>({
		output,
		...options
	}: LocalRunOptions & { readonly output?: OutputSchema<Output> }) {
		const result = await engine.run(options);
		if (result.status === "failed") throw new RunFailedError(result);
		return output === undefined ? result : checkOutput(result, output);
	}

	return {
		graph: checked,
		run: run as LocalAgent["run"],
		stream: (options) => createRunStream(engine, options),
	};
}

const toolsGivenTwice = (): ConfigurationError =>
	new ConfigurationError("`tools` and `ports.tools` were given, and only one of them can call the tools.", {
		hint: "Register tools in `tools`, or let a port of your own call all of them.",
	});

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
