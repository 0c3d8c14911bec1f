import type { AgentGraph } from "../graph/agent-graph";
import { validateAgent } from "./validate-agent";

/**
 * Checks a graph and returns a deeply frozen copy of it, typed with its literal node ids: an edge to an id that no node
 * has does not compile. The result is plain JSON and survives being saved and read again.
 *
 * @throws {@link AgentGraphError} once, with every violation.
 *
 * @example
 * ```ts
 * const agent = defineAgent({
 *   nodes: [
 *     { id: "desk", kind: "coordinator", instructions: "Answer from the handbook." },
 *     { id: "handbook", kind: "knowledge", knowledgeBases: ["handbook"] },
 *   ],
 *   edges: [{ from: "desk", to: "handbook", mode: "before" }],
 * });
 * ```
 */
export function defineAgent<const Id extends string>(graph: AgentGraph<Id>): AgentGraph<Id> {
	const validation = validateAgent(graph);
	if (!validation.success) throw validation.error;
	// The copy equals the argument, so its ids are the argument's.
	return validation.graph as AgentGraph<Id>;
}
