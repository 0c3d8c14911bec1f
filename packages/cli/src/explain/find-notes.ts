import { type AgentInspection, type AgentNode, isModelNode } from "@stemma/core";
import { describeGuard } from "../agent-file/describe-guard";
import { findInvalidPlaceholders } from "./find-invalid-placeholders";

/** What of a node is allowed and probably not meant, as sentences that leave out its name where they begin. */
export function findNotes(node: AgentNode, { deadEdges }: AgentInspection): string[] {
	const guards = deadEdges.flatMap(({ from, when }) =>
		from === node.id && when !== undefined ? [describeGuard(when)] : [],
	);
	return [
		...guards.map((guard) => `${guard} never holds: ${node.id} has no "output", so it gives text`),
		...(isModelNode(node) ? findInvalidPlaceholders(node.instructions ?? "") : []),
	];
}
