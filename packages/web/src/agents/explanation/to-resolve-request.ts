import type { NodeModelRequest, ResolveModelsRequest } from "@stemma/client";
import { type AgentGraph, type AgentInspection, isModelNode, type ModelChoice } from "@stemma/core";

/** Request for the models of a graph's nodes, and of those that make queries of conversations; a run makes the same. */
export function toResolveRequest(
	{ nodes }: AgentGraph,
	{ unreachable, modelCalls }: AgentInspection,
): ResolveModelsRequest {
	const never = new Set(unreachable);
	const running = nodes.filter(({ id }) => !never.has(id));
	const answering = running
		.filter(isModelNode)
		.map(({ id, model }): NodeModelRequest => ({ node: id, ...toChoice(model) }));
	const coordinator = nodes.filter(isModelNode).find(({ kind }) => kind === "coordinator");
	const rewriting = (modelCalls.rewrites ?? []).map(
		(node): NodeModelRequest => ({ node, stage: "rewrite", ...toChoice(coordinator?.model) }),
	);
	const bases = running.flatMap((node) => (node.kind === "knowledge" ? node.knowledgeBases : []));
	return { nodes: [...answering, ...rewriting], knowledge_base_ids: [...new Set(bases)] };
}

const toChoice = ({ provider, model }: ModelChoice = {}) => ({
	...(provider !== undefined && { provider }),
	...(model !== undefined && { model }),
});
