import {
	type AgentPort,
	type AgentRequest,
	mcpTools,
	remoteAgents,
	type ToolPort,
	type ToolRequest,
} from "@stemma/local";
import type { OutboundGate } from "../outbound/outbound-gate";
import { type OutsidePlace, withoutAnswer } from "./outside-error";
import { createSecretMask, NO_MASK, type SecretMask } from "./secret-mask";
import type { OpenSecret } from "./secret-source";

/** What the graphs of one workspace reach beyond the service. Its runs share the connections; no other workspace does. */
export interface Outside {
	/** For runs that came through so many services and runtimes. */
	atDepth(depth: number): OutsidePorts;
	/** Ends what was kept of servers. */
	close(): void;
}

export interface OutsidePorts {
	/** Tools of MCP servers. */
	readonly tools: ToolPort;
	/** Agents that speak A2A. */
	readonly agents: AgentPort;
}

/** @param outbound - the gate: whoever writes a graph chooses where it leads. */
export function createOutside(outbound: OutboundGate["fetch"], secret: OpenSecret): Outside {
	const tools = mcpTools({ fetch: outbound, secret });
	const agents = remoteAgents({ fetch: outbound, secret });
	return {
		atDepth: (depth) => maskPorts({ tools: tools.atDepth(depth), agents: agents.atDepth(depth) }, secret),
		close() {
			tools.close();
			agents.close();
		},
	};
}

/** Servers may repeat what they were sent: neither models nor events are told. */
function maskPorts({ tools, agents }: OutsidePorts, secret: OpenSecret): OutsidePorts {
	async function masked<Result>(
		name: string | undefined,
		place: OutsidePlace,
		work: (mask: SecretMask) => Promise<Result>,
	): Promise<Result> {
		const mask = name === undefined ? NO_MASK : createSecretMask(await secret(name, place.address));
		try {
			return mask.value(await work(mask));
		} catch (error) {
			throw mask.error(withoutAnswer(error, place));
		}
	}
	return {
		tools: {
			describe: (tool, call) => masked(tool.secret, toServer(tool), () => tools.describe(tool, call)),
			call: (request, call) => masked(request.secret, toServer(request), () => tools.call(request, call)),
		},
		agents: {
			run: (request, call) =>
				masked(request.secret, toUrl(request), (mask) => {
					let maskText = mask.createTextMask();
					return agents.run(request, {
						...call,
						onText: (text) => call.onText(maskText(text)),
						onReset() {
							maskText = mask.createTextMask();
							call.onReset();
						},
					});
				}),
		},
	};
}

const toServer = ({ server = "" }: Pick<ToolRequest, "server">): OutsidePlace => ({
	field: "server",
	address: server,
});

const toUrl = ({ agent }: Pick<AgentRequest, "agent">): OutsidePlace => ({
	field: "url",
	address: "url" in agent ? agent.url : "",
});
