import { type AgentGraph, ConfigurationError } from "@stemma/core";
import type { EnginePorts, ToolPort } from "@stemma/engine";
import { assertPinsUsed } from "./mcp/find-pin";
import { type McpToolsOptions, mcpTools } from "./mcp/mcp-tools";
import { a2aAgents } from "./remote/a2a-agents";
import { validateSchema } from "./schema/validate-schema";
import { type LocalSecrets, toSecretSource } from "./secrets/secret-source";
import { codeTools, type RegisteredTool } from "./tools/code-tools";
import { withPresetArgumentValidation } from "./tools/preset-arguments";

/** Ports of a local agent. A port that the graph does not use may be left out. */
export type LocalPorts = Partial<EnginePorts>;

/** Options of the built-in ports. */
export interface BuiltInPortOptions extends Omit<McpToolsOptions, "secret"> {
	readonly secrets?: LocalSecrets | undefined;
}

/**
 * The five ports of a graph: those that were given, else those that are built in.
 *
 * @throws ConfigurationError for what the graph needs and nobody gave.
 */
export function fillPorts(
	graph: AgentGraph,
	ports: LocalPorts,
	tools: ReadonlyMap<string, RegisteredTool>,
	builtInOptions: BuiltInPortOptions,
): EnginePorts {
	assertRequiredPorts(graph, ports);
	assertSecretsUsed(graph, ports, builtInOptions);
	if (builtInOptions.pins !== undefined && ports.tools !== undefined) throw pinsIgnored();
	assertPinsUsed(graph, builtInOptions.pins);
	const { secrets, ...rest } = builtInOptions;
	const options = { ...rest, secret: toSecretSource(secrets) };
	const {
		models = { resolve: missingPort("models") },
		retriever = { retrieve: missingPort("retriever") },
		tools: allTools = joinTools(codeTools(tools), mcpTools(options)),
		agents = a2aAgents(options).atDepth(options.depth),
		validate = (schema, value) => validateSchema(schema, value),
	} = ports;
	return { models, retriever, tools: withPresetArgumentValidation(graph, allTools), agents, validate };
}

/** Tools in code and those of servers, side by side. */
function joinTools(codePort: ToolPort, serverPort: ToolPort): ToolPort {
	const portOf = ({ server }: { readonly server?: string }): ToolPort =>
		server === undefined ? codePort : serverPort;
	return {
		describe: (tool, call) => portOf(tool).describe(tool, call),
		call: (request, call) => portOf(request).call(request, call),
	};
}

function assertRequiredPorts({ nodes }: AgentGraph, { models, retriever, agents }: LocalPorts): void {
	const serviceNodes = nodes.filter((node) => node.kind === "remote" && node.agentId !== undefined);
	const missing = [
		...(models === undefined ? ["`models`: a model has to answer for its coordinator"] : []),
		...(retriever === undefined && nodes.some(({ kind }) => kind === "knowledge")
			? ["`retriever`: it has knowledge nodes"]
			: []),
		...(agents === undefined && serviceNodes.length > 0
			? [`\`agents\`: ${serviceNodes.map(({ id }) => `"${id}"`).join(", ")} runs an agent of a service`]
			: []),
	];
	if (missing.length > 0)
		throw new ConfigurationError(`The graph needs ports that were not given: ${missing.join("; ")}.`, {
			hint: "Pass them in the option `ports`; `servicePorts(client)` has those of a service.",
		});
}

/** Ports that were given ask others for secrets: where all of them are, nobody would ask for these. */
function assertSecretsUsed({ nodes }: AgentGraph, ports: LocalPorts, { secrets }: BuiltInPortOptions): void {
	if (secrets === undefined) return;
	const givenPorts = { tool: ports.tools, remote: ports.agents } as const;
	const withSecret = nodes.flatMap((one) =>
		(one.kind === "tool" || one.kind === "remote") && one.auth !== undefined ? [one] : [],
	);
	const node = withSecret[0];
	if (node === undefined || withSecret.some(({ kind }) => givenPorts[kind] === undefined)) return;
	const port = node.kind === "tool" ? "tools" : "agents";
	throw new ConfigurationError(
		`\`secrets\` was given, and \`ports.${port}\`, which the node "${node.id}" needs, does not ask it.`,
		{
			option: "secrets",
			hint: `Give the secrets to that port: \`servicePorts(client, { secrets })\`, \`mcpTools({ secret })\`, \`remoteAgents({ secret })\`.`,
		},
	);
}

const pinsIgnored = (): ConfigurationError =>
	new ConfigurationError("`pins` was given, and `ports.tools`, which calls the tools, does not ask it.", {
		option: "pins",
		hint: "Give the locks to that port: `mcpTools({ pins })`.",
	});

/** Stands where a graph has no use for a port, and says so if that was wrong. */
const missingPort = (name: keyof EnginePorts) => (): never => {
	throw new ConfigurationError(`The port \`${name}\` is needed and was not given.`, {
		hint: "Pass it in the option `ports`.",
	});
};
