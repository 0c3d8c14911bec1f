import { ConfigurationError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import { type McpTools, mcpTools, type RemoteAgents, remoteAgents } from "@stemma/local";
import type { OutboundGate } from "../outbound/outbound-gate";
import type { WorkspaceSecrets } from "../workspace-secrets/workspace-secrets";

/** What the graphs of one workspace reach beyond the service. Its runs share the connections; no other workspace does. */
export interface Outside {
	/** Tools of MCP servers. */
	readonly tools: McpTools;
	/** Agents that speak A2A. */
	readonly agents: RemoteAgents;
	/** Ends what was kept of servers. */
	close(): void;
}

/**
 * @param outbound - the gate: whoever writes a graph chooses where it leads.
 * @param secrets - each goes to the server that it was stored for, and nowhere else.
 */
export function createOutside(
	outbound: OutboundGate["fetch"],
	secrets: Pick<WorkspaceSecrets, "open">,
): Outside {
	async function secret(name: string, serverUrl: string): Promise<string> {
		const found = await secrets.open(name, URL.parse(serverUrl)?.href.replace(/\/$/, "") ?? "");
		if (found === undefined) throw noSecret(name, serverUrl);
		return found.reveal();
	}
	const tools = mcpTools({ fetch: outbound, secret });
	const agents = remoteAgents({ fetch: outbound, secret });
	return {
		tools,
		agents,
		close() {
			tools.close();
			agents.close();
		},
	};
}

const noSecret = (name: string, serverUrl: string): ConfigurationError =>
	new ConfigurationError(`The workspace has no secret ${quote(name)} for ${quote(serverUrl)}.`, {
		code: "secret_missing",
		hint: "Store it for exactly this address: PUT /v1/workspace/secrets/:name, or `stemma secrets set`.",
	});
