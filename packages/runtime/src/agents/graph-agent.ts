import type { AgentGraph, RunLimits } from "@stemma/core";
import {
	createLocalAgent,
	type LocalAgent,
	type LocalAgentOptions,
	type LocalPorts,
	type LocalRunStream,
} from "@stemma/local";
import type { RunnableAgent, RunPart } from "./runnable-agent";

/** The ports of all graphs, or those for runs that are so many hops deep. */
export type RuntimePorts = LocalPorts | ((setting: { readonly depth: number }) => LocalPorts);

/** What graphs are run with. */
export interface GraphWorld extends Pick<LocalAgentOptions, "tools" | "secrets" | "fetch"> {
	readonly ports: RuntimePorts;
	readonly limits: RunLimits;
}

/**
 * A graph that runs in this process.
 *
 * @throws ConfigurationError when it needs what this version, these ports, or these tools cannot do.
 */
export function createGraphAgent(graph: AgentGraph, { ports, secrets, ...world }: GraphWorld): RunnableAgent {
	const agents = new Map<number, LocalAgent>();
	function agentFor(depth: number): LocalAgent {
		const known = agents.get(depth);
		if (known !== undefined) return known;
		const agent = createLocalAgent(graph, {
			...world,
			// Agents at a `url` may be called by a port that was given, which asks for their secrets itself.
			...(secrets === undefined || !hasToolSecrets(graph) ? {} : { secrets }),
			ports: typeof ports === "function" ? ports({ depth }) : ports,
			depth,
		});
		agents.set(depth, agent);
		return agent;
	}
	agentFor(1);
	return {
		start(input, { signal, depth }) {
			const agent = agentFor(depth);
			return toPart(agent, agent.stream({ ...input, signal }));
		},
	};
}

const hasToolSecrets = ({ nodes }: AgentGraph): boolean =>
	nodes.some((node) => node.kind === "tool" && node.auth !== undefined);

function toPart(agent: LocalAgent, stream: LocalRunStream): RunPart {
	let savedLength: number | undefined;
	return {
		events: stream,
		decide: stream.decide,
		resume: (decisions, signal) => toPart(agent, agent.resume(stream.serialize(), { decisions, signal })),
		get savedLength() {
			savedLength ??= JSON.stringify(stream.serialize()).length;
			return savedLength;
		},
	};
}
