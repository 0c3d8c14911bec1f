import { type AgentRunStream, agents, createClient, type WireRunEvent } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { servicePorts } from "@stemma/local";
import type { RuntimePorts } from "./agents/graph-agent";
import type { RemoteAgents } from "./agents/remote-agents";

export interface ServiceConnectionOptions {
	/** The service's address. Default: the variable `STEMMA_BASE_URL`. */
	readonly baseUrl?: string | undefined;
	readonly clientId: string | undefined;
	readonly clientSecret: string | undefined;
}

/** What a runtime needs of the service: spread it into the options of `createRuntime` or `startRuntime`. */
export interface ServiceConnection {
	readonly ports: RuntimePorts;
	readonly remote: RemoteAgents;
}

/**
 * Models, documents and stored agents of a service. Sends nothing until a run asks.
 *
 * @throws ConfigurationError when the credentials or the address are missing.
 */
export function connectService({
	baseUrl,
	clientId,
	clientSecret,
}: ServiceConnectionOptions): ServiceConnection {
	if (!clientId || !clientSecret) throw noCredentials();
	const client = createClient({ baseUrl, clientId, clientSecret });
	return {
		ports: ({ depth }) => servicePorts(client, { depth }),
		remote: {
			run(agentId, input, { signal, depth }) {
				const headers = { "stemma-depth": String(depth) };
				return untilCancelled(agents(client).stream(agentId, input, { headers }), signal);
			},
		},
	};
}

/** An abort cancels the run and reads on, so that its last event is the service's own. */
async function* untilCancelled(run: AgentRunStream, signal: AbortSignal): AsyncGenerator<WireRunEvent> {
	const cancel = (): void => run.cancel();
	if (signal.aborted) cancel();
	signal.addEventListener("abort", cancel);
	try {
		yield* run;
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

const noCredentials = (): ConfigurationError =>
	new ConfigurationError("The runtime's credentials at the service are missing.", {
		hint: "Set STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET (options `clientId` and `clientSecret`).",
	});
