import {
	type AgentPort,
	type AgentRequest,
	mcpTools,
	remoteAgents,
	type ToolPort,
	type ToolRequest,
} from "@stemma/local";
import type { OutboundGate } from "../outbound/outbound-gate";
import { createSecretRedactor, NO_REDACTION, type SecretRedactor } from "./redact-secret";
import { hideResponse, type RemoteTarget } from "./remote-error";
import type { ReadSecret } from "./secret-source";

/**
 * Ports to the tools and agents outside the service for the graphs of one workspace. Its runs share the connections; no
 * other workspace does.
 */
export interface ExternalPorts {
	/** Returns the ports for runs that came through this many services and runtimes. */
	atDepth(depth: number): ToolAndAgentPorts;
	/** Ends what was kept of servers. */
	close(): void;
}

export interface ToolAndAgentPorts {
	/** Tools of MCP servers. */
	readonly tools: ToolPort;
	/** Agents that speak A2A. */
	readonly agents: AgentPort;
}

/** @param outbound - the gate: whoever writes a graph chooses where it leads. */
export function createExternalPorts(outbound: OutboundGate["fetch"], secret: ReadSecret): ExternalPorts {
	const tools = mcpTools({ fetch: outbound, secret });
	const agents = remoteAgents({ fetch: outbound, secret });
	return {
		atDepth: (depth) => redactPorts({ tools: tools.atDepth(depth), agents: agents.atDepth(depth) }, secret),
		close() {
			tools.close();
			agents.close();
		},
	};
}

/** Servers may repeat what they were sent: neither models nor events are told. */
function redactPorts({ tools, agents }: ToolAndAgentPorts, secret: ReadSecret): ToolAndAgentPorts {
	async function redacted<Result>(
		name: string | undefined,
		target: RemoteTarget,
		work: (redactor: SecretRedactor) => Promise<Result>,
	): Promise<Result> {
		const redactor =
			name === undefined ? NO_REDACTION : createSecretRedactor(await secret(name, target.address));
		try {
			return redactor.value(await work(redactor));
		} catch (error) {
			throw redactor.error(hideResponse(error, target));
		}
	}
	return {
		tools: {
			describe: (tool, call) => redacted(tool.secret, toServerTarget(tool), () => tools.describe(tool, call)),
			call: (request, call) =>
				redacted(request.secret, toServerTarget(request), () => tools.call(request, call)),
		},
		agents: {
			run: (request, call) =>
				redacted(request.secret, toUrlTarget(request), (redactor) => {
					let redactText = redactor.createTextRedactor();
					return agents.run(request, {
						...call,
						onText: (text) => call.onText(redactText(text)),
						onReset() {
							redactText = redactor.createTextRedactor();
							call.onReset();
						},
					});
				}),
		},
	};
}

const toServerTarget = ({ server = "" }: Pick<ToolRequest, "server">): RemoteTarget => ({
	field: "server",
	address: server,
});

const toUrlTarget = ({ agent }: Pick<AgentRequest, "agent">): RemoteTarget => ({
	field: "url",
	address: "url" in agent ? agent.url : "",
});
