import { type AgentInspection, type AgentNode, isModelNode } from "@stemma/core";
import { describeGuard } from "../agent-file/describe-guard";
import { findInvalidPlaceholders } from "./find-invalid-placeholders";

/** Finds what is allowed in a node but probably not meant. Returns sentences that begin without the node's name. */
export function findNotes(node: AgentNode, { deadEdges }: AgentInspection): string[] {
	const guards = deadEdges.flatMap(({ from, when }) =>
		from === node.id && when !== undefined ? [describeGuard(when)] : [],
	);
	return [
		...guards.map((guard) => `${guard} never holds: ${node.id} has no "output", so its output is text`),
		...(isModelNode(node) ? findInvalidPlaceholders(node.instructions ?? "") : []),
	];
}
