import type { AgentEdge, AgentGraph, AgentNode, NodeKind } from "@stemma/core";
import { describeGuard } from "./describe-guard";

/** Opening and closing of the shape that stands for a kind. */
const SHAPES: Readonly<Record<NodeKind, readonly [string, string]>> = {
	coordinator: ["([", "])"],
	agent: ["(", ")"],
	knowledge: ["[(", ")]"],
	tool: ["[[", "]]"],
	remote: ["{{", "}}"],
};

/** The graph as a Mermaid flowchart: a shape for each kind of node, an arrow for each mode of edge. */
export function toMermaid({ nodes, edges = [] }: AgentGraph): string {
	const numbers = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
	const lines = [
		"flowchart LR",
		...nodes.map((node) => `  ${numbers.get(node.id)}${drawNode(node)}`),
		...edges.map((edge) => `  ${numbers.get(edge.from)} ${drawArrow(edge)} ${numbers.get(edge.to)}`),
	];
	return `${lines.join("\n")}\n`;
}

function drawNode({ id, kind }: AgentNode): string {
	const [open, close] = SHAPES[kind];
	return `${open}"${id}<br/><i>${kind}</i>"${close}`;
}

function drawArrow(edge: AgentEdge): string {
	switch (edge.mode) {
		case "before":
			return `-. "before" .->`;
		case "then":
			return edge.when === undefined
				? `== "then" ==>`
				: `== "${escapeLabel(`then if ${describeGuard(edge.when)}`)}" ==>`;
		case "handoff":
			return `-- "handoff" -->`;
		default:
			return `-- "${edge.maxCalls === undefined ? "call" : `call, at most ${edge.maxCalls}`}" -->`;
	}
}

/** Mermaid reads entity codes in quoted labels. */
const escapeLabel = (text: string): string =>
	text.replace(/[#"<>&\n]/g, (character) => `#${character.charCodeAt(0)};`);
