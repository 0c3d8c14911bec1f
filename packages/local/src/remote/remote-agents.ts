import type { Fetch, StemmaClient, Timeouts } from "@stemma/client";
import type { AgentPort } from "@stemma/engine";
import { toDepthHeader } from "../depth-header";
import type { SecretSource } from "../secrets/secret-source";
import { a2aAgents } from "./a2a-agents";
import { serviceAgents } from "./service-agents";

/** Options of `remoteAgents`, an agent port over other agents. */
export interface RemoteAgentsOptions {
	/** Client of the service whose agents `agentId` names. Default: none, and such nodes fail. */
	readonly client?: StemmaClient | undefined;
	/**
	 * Gives the value of a secret that a node with a `url` names, for that address; it goes there as a bearer token. Asked
	 * before each call. Default: none, and nodes with a secret fail.
	 */
	readonly secret?: SecretSource | undefined;
	/** Fetch function for agents at a `url`. Default: the platform's, looked up at each call. */
	readonly fetch?: Fetch | undefined;
	/** Number of services and runtimes that the run came through before this one; sent as `stemma-depth`. */
	readonly depth?: number | undefined;
	/** Timeouts of requests to other agents. */
	readonly timeouts?: Partial<Timeouts> | undefined;
}

/** Other agents, as a port. Its connections are shared by all runs that use it. */
export interface RemoteAgents extends AgentPort {
	/** Returns a port with the same connections, for runs that came through `depth` services and runtimes. */
	atDepth(depth: number): AgentPort;
	/** Forgets what was kept of agents; calls that are under way go on. It may be used again. */
	close(): void;
}

/**
 * Other agents, for `remote` nodes: those of a service by their `agentId`, and any that speaks A2A 1.0 by its `url`.
 * `createLocalAgent` has the second half built in, and `servicePorts` both; make one to share connections among agents, or
 * to decide where secrets come from.
 */
export function remoteAgents(options: RemoteAgentsOptions = {}): RemoteAgents {
	const external = a2aAgents(options);

	function atDepth(depth: number | undefined): AgentPort {
		const service = serviceAgents(options.client, toDepthHeader(depth), options.timeouts);
		const a2a = external.atDepth(depth);
		return { run: (request, call) => ("url" in request.agent ? a2a : service).run(request, call) };
	}

	return { ...atDepth(options.depth), atDepth, close: external.close };
}
