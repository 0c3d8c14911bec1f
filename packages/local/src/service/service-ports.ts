import type { Fetch, StemmaClient } from "@stemma/client";
import { ConfigurationError } from "@stemma/core";
import type { AgentPort, Retriever } from "@stemma/engine";
import { toDepthHeader } from "../depth-header";
import { remoteAgents } from "../remote/remote-agents";
import { type LocalSecrets, toSecretSource } from "../secrets/secret-source";
import { type ServiceModels, serviceModels } from "./service-models";
import { serviceRetriever } from "./service-retriever";

/** Options of `servicePorts`: retrieval and models of a service. */
export interface ServicePortsOptions {
	/**
	 * Number of services and runtimes that the run came through before this one; sent as `stemma-depth`. Default: the
	 * value that the client sends.
	 */
	readonly depth?: number | undefined;
	/** Secrets for agents at a `url`: see `secrets` of `createLocalAgent`. */
	readonly secrets?: LocalSecrets | undefined;
	/** Fetch function for agents at a `url`. Default: the platform's, looked up at each call. */
	readonly fetch?: Fetch | undefined;
}

/** The ports that a service can stand behind. */
export interface ServicePorts {
	/** Asks the service once for each run who answers for its nodes, and who pays. */
	readonly models: ServiceModels;
	readonly retriever: Retriever;
	/** The service's own agents, by `agentId`; and those at a `url`, which are called from here. */
	readonly agents: AgentPort;
}

/**
 * Models, retrieval and agents of a service, for graphs that run in this process: `createLocalAgent(graph, { ports:
 * servicePorts(client) })`. The service resolves and pays as it would for its own runs; its receipts go into the run's.
 *
 * A client key must be made with `models: true`.
 *
 * @throws ConfigurationError for what is no client, such as a `Stemma`.
 */
export function servicePorts(
	client: StemmaClient,
	{ depth, secrets, fetch }: ServicePortsOptions = {},
): ServicePorts {
	if (typeof client?.request !== "function")
		throw new ConfigurationError("`servicePorts` needs a client.", {
			hint: "Pass what `createClient` makes, or `stemma.client`.",
		});
	const headers = toDepthHeader(depth);
	return {
		models: serviceModels(client, headers),
		retriever: serviceRetriever(client, headers),
		agents: remoteAgents({ client, secret: toSecretSource(secrets), fetch, depth }),
	};
}
