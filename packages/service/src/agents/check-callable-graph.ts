import type { AgentGraph } from "@stemma/core";
import { findHiddenItems } from "../access/hidden-items";
import { checkAddresses } from "../agent-ports/check-addresses";
import type { RequestScope } from "../request-scope";
import { checkGraph } from "./check-graph";
import { checkKnowledgeBases } from "./check-knowledge-bases";

/**
 * Checks that a graph can run here, and calls only what its author may call.
 *
 * @throws DomainError 422.
 */
export async function checkCallableGraph(scope: RequestScope, json: unknown): Promise<AgentGraph> {
	const graph = checkGraph(json);
	const { scopes } = scope.caller;
	const { knowledgeBaseIds: without } = await findHiddenItems(scope);
	checkKnowledgeBases(graph, {
		existing: await scope.workspace.knowledge.listKnowledgeBaseSummaries({ without }),
		canSeeKnowledgeBases: scopes.includes("knowledge:read") || scopes.includes("ask"),
	});
	await checkAddresses(graph, {
		check: scope.kernel.checkAddress,
		canSeeAddresses: scopes.includes("settings:write"),
	});
	return graph;
}
