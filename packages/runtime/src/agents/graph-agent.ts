import type { AgentGraph, RunLimits } from "@stemma/core";
import type { SerializedRun } from "@stemma/engine";
import { createLocalAgent, type LocalAgent, type LocalAgentOptions, type LocalPorts } from "@stemma/local";
import { EngineRunSegment } from "@stemma/runs";
import type { RunnableAgent } from "./runnable-agent";

/** The ports of all graphs, or those for runs that are so many hops deep. */
export type RuntimePorts = LocalPorts | ((options: { readonly depth: number }) => LocalPorts);

/** Settings that graphs are run with. */
export interface GraphEnvironment
	extends Pick<LocalAgentOptions, "tools" | "secrets" | "fetch" | "instrument"> {
	readonly ports: RuntimePorts;
	readonly limits: RunLimits;
	/** Checks outputs, where the ports do not. */
	readonly validate?: LocalPorts["validate"] | undefined;
}

/**
 * A graph that runs in this process.
 *
 * @throws ConfigurationError when it needs what this version, these ports, or these tools cannot do.
 */
export function createGraphAgent(
	graph: AgentGraph,
	{ ports, secrets, validate, ...environment }: GraphEnvironment,
): RunnableAgent {
	const agents = new Map<number, LocalAgent>();
	function getAgent(depth: number): LocalAgent {
		const cached = agents.get(depth);
		if (cached !== undefined) return cached;
		const agent = createLocalAgent(graph, {
			...environment,
			// Agents at a `url` may be called by a port that was given, which asks for their secrets itself.
			...(secrets === undefined || !hasToolSecrets(graph) ? {} : { secrets }),
			ports: {
				...(validate === undefined ? {} : { validate }),
				...(typeof ports === "function" ? ports({ depth }) : ports),
			},
			depth,
		});
		agents.set(depth, agent);
		return agent;
	}
	getAgent(1);
	return {
		isRemote: false,
		start: (input, { depth }) => new EngineRunSegment(getAgent(depth).stream(input)),
		resume({ state, decisions, isCancelled }, { depth }) {
			const signal = isCancelled ? AbortSignal.abort() : undefined;
			return new EngineRunSegment(getAgent(depth).resume(parseState(state), { decisions, signal }));
		},
	};
}

/** Parses a state, which a segment of the same agent has saved. */
const parseState = (state: string): SerializedRun => JSON.parse(state);

const hasToolSecrets = ({ nodes }: AgentGraph): boolean =>
	nodes.some((node) => node.kind === "tool" && node.auth !== undefined);
