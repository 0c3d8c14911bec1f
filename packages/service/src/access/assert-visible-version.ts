import type { AgentVersion } from "@stemma/client";
import { versionNotFound } from "../agents/agents";
import { type AccessScope, findHiddenItems } from "./hidden-items";

/**
 * Asserts that a caller may use all that the graph of an earlier version names, as they must for an agent.
 *
 * @throws DomainError `agent_version_not_found`
 */
export async function assertVisibleVersion(
	scope: AccessScope,
	{ graph, number }: AgentVersion,
): Promise<void> {
	const { knowledgeBaseNames, agentNames } = await findHiddenItems(scope);
	const isHidden = graph.nodes.some(
		(node) =>
			(node.kind === "knowledge" && node.knowledgeBases.some((name) => knowledgeBaseNames.has(name))) ||
			(node.kind === "remote" && node.agentId !== undefined && agentNames.has(node.agentId)),
	);
	if (isHidden) throw versionNotFound(number);
}
