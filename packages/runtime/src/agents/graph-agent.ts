import type { WireRunEvent } from "@stemma/client";
import type { AgentGraph, RunEvent, RunLimits } from "@stemma/core";
import { createLocalAgent, type LocalAgent, type LocalPorts } from "@stemma/local";
import type { RunnableAgent } from "./runnable-agent";

/** The ports of all graphs, or those for runs that are so many hops deep. */
export type RuntimePorts = LocalPorts | ((setting: { readonly depth: number }) => LocalPorts);

/**
 * A graph that runs in this process.
 *
 * @throws ConfigurationError when it needs what this version, or these ports, cannot do.
 */
export function createGraphAgent(graph: AgentGraph, ports: RuntimePorts, limits: RunLimits): RunnableAgent {
	const agents = new Map<number, LocalAgent>();
	function agentFor(depth: number): LocalAgent {
		const agent =
			agents.get(depth) ??
			createLocalAgent(graph, {
				ports: typeof ports === "function" ? ports({ depth }) : ports,
				limits,
				depth,
			});
		agents.set(depth, agent);
		return agent;
	}
	agentFor(1);
	return {
		start: (input, { signal, depth }) => toWire(agentFor(depth).stream({ ...input, signal })),
	};
}

async function* toWire(events: AsyncIterable<RunEvent>): AsyncGenerator<WireRunEvent> {
	for await (const event of events) yield { ...event, at: new Date(event.at).toISOString() };
}
