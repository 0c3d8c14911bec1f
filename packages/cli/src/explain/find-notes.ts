import { type AgentInspection, type AgentNode, isModelNode } from "@stemma/core";
import { describeGuard } from "../agent-file/describe-guard";
import { findLookalikes } from "./find-lookalikes";

/** What of a node is allowed and probably not meant, as sentences that leave out its name where they begin. */
export function findNotes(node: AgentNode, { neverTaken }: AgentInspection): string[] {
	const guards = neverTaken.flatMap(({ from, when }) =>
		from === node.id && when !== undefined ? [describeGuard(when)] : [],
	);
	return [
		...guards.map((guard) => `${guard} never holds: ${node.id} has no "output", so it gives text`),
		...(isModelNode(node) ? findLookalikes(node.instructions ?? "") : []),
	];
}
