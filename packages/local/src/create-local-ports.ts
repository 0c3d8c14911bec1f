import type { Fetch } from "@stemma/client";
import type { McpLock } from "@stemma/client/mcp";
import { type AgentGraph, ConfigurationError } from "@stemma/core";
import type { EnginePorts } from "@stemma/engine";
import { fillPorts, type LocalPorts } from "./fill-ports";
import { assertDistinctSecrets, type LocalSecrets } from "./secrets/secret-source";
import { assertToolsRegistered, readTools } from "./tools/code-tools";
import type { LocalTools } from "./tools/define-tool";
import { validatePresetArguments } from "./tools/preset-arguments";

/** Options of {@link createLocalPorts}. */
export interface LocalPortsOptions {
	/**
	 * Built in are `validate` (JSON Schema draft 2020-12, without `eval`), `tools` (those in `tools`, and those of MCP
	 * servers), and of `agents` those at a `url`. What is given here stands in place of it.
	 */
	readonly ports: LocalPorts;
	/** Tools that the `tool` nodes without a `server` call, by the names in those nodes. */
	readonly tools?: LocalTools;
	/**
	 * Secrets that nodes name in `auth`: by name, or a function that is called before each call. Default: the variables
	 * `STEMMA_TOOL_<NAME>` of the environment, where there is one.
	 */
	readonly secrets?: LocalSecrets;
	/**
	 * Fetch function for the built-in ports' requests to MCP servers and A2A agents. Default: the platform's, looked up
	 * at each call.
	 */
	readonly fetch?: Fetch;
	/**
	 * Locks of MCP servers, by their addresses: tools that are not as their lock has them are not called. Each is of a
	 * server that a node calls.
	 */
	readonly pins?: Readonly<Record<string, McpLock>>;
	/** Number of services and runtimes that a run came through before; the built-in ports send it as `stemma-depth`. */
	readonly depth?: number;
	/** Wraps the ports of all runs, those that are built in among them: for traces, logs and metrics. Default: they stay as they are. */
	readonly instrument?: ((ports: EnginePorts) => EnginePorts) | undefined;
}

/**
 * Creates the five ports of a graph, those that are built in among them: for programs that run it by another engine, such as
 * `@stemma/dbos`.
 *
 * @param graph - valid: from `defineAgent` or `validateAgent`.
 * @throws ConfigurationError when a port or tool that the graph needs is missing, a tool or what a node fixes of its
 * arguments cannot be used, or a pin is of no server that it calls.
 */
export function createLocalPorts(
	graph: AgentGraph,
	{ ports, tools, instrument = identity, ...builtInOptions }: LocalPortsOptions,
): EnginePorts {
	if (tools !== undefined && ports.tools !== undefined) throw toolsGivenTwice();
	assertDistinctSecrets(graph);
	const registered = readTools(tools ?? {});
	const filled = instrument(fillPorts(graph, ports, registered, builtInOptions));
	if (ports.tools === undefined) {
		assertToolsRegistered(graph, registered);
		const schemas = [...registered].map(([name, { parameters }]) => [name, parameters.jsonSchema] as const);
		validatePresetArguments(graph, new Map(schemas));
	}
	return filled;
}

const identity = (ports: EnginePorts): EnginePorts => ports;

const toolsGivenTwice = (): ConfigurationError =>
	new ConfigurationError("`tools` and `ports.tools` were given, and only one of them can call the tools.", {
		option: "tools",
		hint: "Register tools in `tools`, or let a port of your own call all of them.",
	});
