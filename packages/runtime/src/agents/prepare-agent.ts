import type { RunLimits } from "@stemma/core";
import { ConfigurationError, isStemmaError } from "@stemma/core/errors";
import type { AgentDefinition } from "../folder/agent-definition";
import type { Prepare } from "./catalog";
import { createGraphAgent, type RuntimePorts } from "./graph-agent";
import { createRemoteAgent, type RemoteAgents } from "./remote-agents";
import type { RunnableAgent } from "./runnable-agent";

/** What running takes. */
export interface AgentWorld {
	/** For graphs: models and retrieval. Default: none, and graphs are listed as invalid. */
	readonly ports?: RuntimePorts;
	/** For manifests: the service. Default: none, and manifests are listed as invalid. */
	readonly remote?: RemoteAgents;
	/** The operator's limits; of these and a graph's the smaller count. */
	readonly limits?: RunLimits;
}

/** Makes agent files runnable; what cannot be run becomes an issue that says why. */
export const prepareWith =
	(world: AgentWorld): Prepare =>
	({ definition, issues }) => {
		if (definition === undefined) return { issues };
		try {
			return { agent: createAgent(definition, world), issues };
		} catch (error) {
			if (!isStemmaError(error)) throw error;
			const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
			return { issues: [{ code: error.code, message, path: [] }] };
		}
	};

function createAgent(
	definition: AgentDefinition,
	{ ports = {}, remote, limits = {} }: AgentWorld,
): RunnableAgent {
	if (definition.form === "graph") return createGraphAgent(definition.graph, ports, limits);
	if (remote === undefined)
		throw new ConfigurationError("The manifest names an agent of the service, and there is no service.", {
			hint: "Give the runtime the service's address and credentials (option `remote`).",
		});
	return createRemoteAgent(definition.remoteAgentId, remote);
}
