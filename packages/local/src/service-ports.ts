import type { StemmaClient } from "@stemma/client";
import { ConfigurationError } from "@stemma/core";
import type { ModelPort, Retriever } from "@stemma/engine";
import { serviceModels } from "./service-models";
import { serviceRetriever } from "./service-retriever";

export interface ServicePortsOptions {
	/**
	 * How many services and runtimes the run came through before it is run here: goes out as `stemma-depth`. Default: what
	 * the client sends.
	 */
	readonly depth?: number | undefined;
}

/** The ports that a service can stand behind. */
export interface ServicePorts {
	readonly models: ModelPort;
	readonly retriever: Retriever;
}

/**
 * Retrieval and models of a service, for graphs that run in this process: `createLocalAgent(graph, { ports:
 * servicePorts(client) })`. The service resolves and pays as it would for its own runs; its receipts go into the run's.
 *
 * A client key must be made with `models: true`.
 *
 * @throws ConfigurationError for what is no client, such as a `Stemma`.
 */
export function servicePorts(client: StemmaClient, { depth }: ServicePortsOptions = {}): ServicePorts {
	if (typeof client?.request !== "function")
		throw new ConfigurationError("`servicePorts` needs a client.", {
			hint: "Pass what `createClient` makes, or `stemma.client`.",
		});
	const headers = depth === undefined ? {} : { "stemma-depth": String(depth) };
	return { models: serviceModels(client, headers), retriever: serviceRetriever(client, headers) };
}
