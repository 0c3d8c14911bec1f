import type { AgentGraph, ApprovalDecision, RunLimits } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import {
	createLocalAgent,
	type LocalAgent,
	type LocalAgentOptions,
	type LocalPorts,
	type LocalRunStream,
} from "@stemma/local";
import type { RunEventHandler, RunnableAgent, RunSegment } from "./runnable-agent";

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
		start(input, { depth, onEvent }) {
			const agent = getAgent(depth);
			return new GraphRunSegment(agent, agent.stream(input), { onEvent });
		},
	};
}

const hasToolSecrets = ({ nodes }: AgentGraph): boolean =>
	nodes.some((node) => node.kind === "tool" && node.auth !== undefined);

/** A class, as it takes less memory than closures do. */
class GraphRunSegment implements RunSegment {
	readonly ended: Promise<unknown>;
	readonly #agent: LocalAgent;
	readonly #stream: LocalRunStream;
	#savedStateLength: number | undefined;

	constructor(agent: LocalAgent, stream: LocalRunStream, { onEvent }: RunEventHandler) {
		this.#agent = agent;
		this.#stream = stream;
		stream.listen(onEvent);
		this.ended = stream.result().catch(ignoreRunFailure);
	}

	cancel(): void {
		this.#stream.cancel();
	}

	decide(decision: ApprovalDecision): void {
		this.#stream.decide(decision);
	}

	resume(
		decisions: readonly ApprovalDecision[],
		{ isCancelled, onEvent }: RunEventHandler & { readonly isCancelled: boolean },
	): RunSegment {
		const signal = isCancelled ? AbortSignal.abort() : undefined;
		const stream = this.#agent.resume(this.#stream.serialize(), { decisions, signal });
		return new GraphRunSegment(this.#agent, stream, { onEvent });
	}

	get savedStateLength(): number {
		this.#savedStateLength ??= JSON.stringify(this.#stream.serialize()).length;
		return this.#savedStateLength;
	}
}

/** A run that failed has told so in its last event. */
function ignoreRunFailure(error: unknown): void {
	if (!RunFailedError.is(error)) throw error;
}
