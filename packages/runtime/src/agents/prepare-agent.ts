import type { RuntimeAgentIssue, StemmaClient } from "@stemma/client";
import type { RunLimits } from "@stemma/core";
import { ConfigurationError, isStemmaError, type StemmaError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import { createLocalAgent, type LocalAgentOptions, type LocalPorts, servicePorts } from "@stemma/local";
import type { AgentDefinition } from "../folder/agent-definition";
import type { PrepareAgent } from "./catalog";
import { createGraphAgent, type RuntimePorts } from "./graph-agent";
import { findMissingSecrets } from "./missing-secrets";
import { createRemoteAgent, type RemoteAgents } from "./remote-agents";
import { withRetry } from "./retrying-ports";
import type { RunnableAgent } from "./runnable-agent";
import { serviceAgents } from "./service-agents";

/** Settings and services that agents need to run. */
export interface AgentEnvironment extends Pick<LocalAgentOptions, "tools" | "secrets" | "fetch"> {
	/**
	 * Client of the service that provides models and documents, and whose agents manifests name: made by
	 * `createClient`, or a `Stemma`. Default: none.
	 */
	readonly client?: StemmaClient | { readonly client: StemmaClient } | undefined;
	/** Models, retrieval and more for graphs: each in place of the client's. A graph that lacks one is listed as invalid. */
	readonly ports?: RuntimePorts;
	/** Runs what manifests name. Default: the client; without one, manifests are listed as invalid. */
	readonly remote?: RemoteAgents;
	/** The operator's limits; of these and a graph's the smaller count. */
	readonly limits?: RunLimits;
}

/** Hooks that the runtime itself adds to graphs. */
interface GraphHooks extends Pick<LocalAgentOptions, "instrument"> {
	readonly validate?: LocalPorts["validate"] | undefined;
}

/**
 * Makes agent files runnable; what cannot be run becomes an issue that says why.
 *
 * @param support - `instrument` wraps the ports of graphs; `validate` checks outputs by the schemas of nodes.
 * @throws ConfigurationError for tools that no graph could call.
 */
export function createPrepareAgent(
	environment: AgentEnvironment,
	{ instrument, validate }: GraphHooks = {},
): PrepareAgent {
	assertToolsCallable(environment);
	const client = toClient(environment.client);
	const { remote = client && serviceAgents(client), tools, secrets, fetch } = environment;
	const graphEnvironment = {
		...omitUndefined({ tools, secrets, fetch }),
		ports: joinPorts(environment, client),
		limits: environment.limits ?? {},
		instrument,
		validate,
	};

	function createAgent(definition: AgentDefinition): RunnableAgent {
		if (definition.form === "graph") return createGraphAgent(definition.graph, graphEnvironment);
		if (remote === undefined) throw noService();
		return createRemoteAgent(definition.remoteAgentId, remote);
	}

	/**
	 * Finds problems that do not keep an agent from running. Only the environment can tell now which secrets a run will
	 * have.
	 */
	function findWarnings(definition: AgentDefinition): readonly RuntimeAgentIssue[] {
		const { ports = {}, secrets } = environment;
		if (definition.form !== "graph" || secrets !== undefined || typeof ports === "function") return [];
		return findMissingSecrets(definition.graph, ports);
	}

	return ({ definition, issues }) => {
		if (definition === undefined) return { issues };
		try {
			return { agent: createAgent(definition), issues: [...issues, ...findWarnings(definition)] };
		} catch (error) {
			if (!isStemmaError(error)) throw error;
			return { issues: [{ code: error.code, message: describe(error), path: [] }] };
		}
	};
}

/** A tool that cannot be called is a mistake of the program, whatever its agent files are. */
function assertToolsCallable({ tools = {} }: AgentEnvironment): void {
	const models = { resolve: () => Promise.reject(new Error("Nothing is run.")) };
	createLocalAgent({ nodes: [{ id: "agent", kind: "coordinator" }] }, { ports: { models }, tools });
}

/** The client behind a `Stemma`, or the client itself. */
export const toClient = (client: AgentEnvironment["client"]): StemmaClient | undefined =>
	client === undefined || "request" in client ? client : client.client;

function joinPorts(
	{ ports = {}, secrets, fetch }: AgentEnvironment,
	client: StemmaClient | undefined,
): RuntimePorts {
	if (client === undefined) return ports;
	return ({ depth }): LocalPorts => ({
		...withRetry(servicePorts(client, { depth, secrets, fetch })),
		...(typeof ports === "function" ? ports({ depth }) : ports),
	});
}

const noService = (): ConfigurationError =>
	new ConfigurationError("The manifest names an agent of the service, and there is no service.", {
		hint: "Give the runtime the service's address and credentials (option `client`).",
	});

function describe({ code, message, hint }: StemmaError): string {
	const advice =
		code === "tool_not_registered"
			? "Register them by these names in the option `tools` of the runtime, or give the nodes a `server`."
			: hint;
	return advice === undefined ? message : `${message} ${advice}`;
}
