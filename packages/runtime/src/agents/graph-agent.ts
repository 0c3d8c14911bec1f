import type { AgentGraph, ApprovalDecision, RunLimits } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import {
	createLocalAgent,
	type LocalAgent,
	type LocalAgentOptions,
	type LocalPorts,
	type LocalRunStream,
} from "@stemma/local";
import type { RunListener, RunnableAgent, RunPart } from "./runnable-agent";

/** The ports of all graphs, or those for runs that are so many hops deep. */
export type RuntimePorts = LocalPorts | ((setting: { readonly depth: number }) => LocalPorts);

/** What graphs are run with. */
export interface GraphWorld extends Pick<LocalAgentOptions, "tools" | "secrets" | "fetch" | "instrument"> {
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
	{ ports, secrets, validate, ...world }: GraphWorld,
): RunnableAgent {
	const agents = new Map<number, LocalAgent>();
	function agentFor(depth: number): LocalAgent {
		const known = agents.get(depth);
		if (known !== undefined) return known;
		const agent = createLocalAgent(graph, {
			...world,
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
	agentFor(1);
	return {
		isElsewhere: false,
		start(input, { depth, onEvent }) {
			const agent = agentFor(depth);
			return new GraphPart(agent, agent.stream(input), { onEvent });
		},
	};
}

const hasToolSecrets = ({ nodes }: AgentGraph): boolean =>
	nodes.some((node) => node.kind === "tool" && node.auth !== undefined);

/** A class, as it takes less memory than closures do. */
class GraphPart implements RunPart {
	readonly ended: Promise<unknown>;
	readonly #agent: LocalAgent;
	readonly #stream: LocalRunStream;
	#savedLength: number | undefined;

	constructor(agent: LocalAgent, stream: LocalRunStream, { onEvent }: RunListener) {
		this.#agent = agent;
		this.#stream = stream;
		stream.listen(onEvent);
		this.ended = stream.result().catch(passFailure);
	}

	cancel(): void {
		this.#stream.cancel();
	}

	decide(decision: ApprovalDecision): void {
		this.#stream.decide(decision);
	}

	resume(
		decisions: readonly ApprovalDecision[],
		{ isCancelled, onEvent }: RunListener & { readonly isCancelled: boolean },
	): RunPart {
		const signal = isCancelled ? AbortSignal.abort() : undefined;
		const stream = this.#agent.resume(this.#stream.serialize(), { decisions, signal });
		return new GraphPart(this.#agent, stream, { onEvent });
	}

	get savedLength(): number {
		this.#savedLength ??= JSON.stringify(this.#stream.serialize()).length;
		return this.#savedLength;
	}
}

/** A run that failed has told so in its last event. */
function passFailure(error: unknown): void {
	if (!RunFailedError.is(error)) throw error;
}
