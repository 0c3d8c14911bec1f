import { compareAgents } from "@stemma/core";
import { expect, it } from "vitest";
import { explainChanges } from "./explain-changes";
import { renderBlocks } from "./wrap-text";

it("tells in words what differs in two graphs", () => {
	const comparison = compareAgents(
		{
			name: "Desk",
			nodes: [
				{ id: "desk", kind: "coordinator", maxTurns: 3 },
				{ id: "law", kind: "agent" },
			],
			edges: [{ from: "desk", to: "law" }],
		},
		{
			name: "Desk",
			limits: { maxSteps: 9 },
			nodes: [
				{ id: "desk", kind: "coordinator", instructions: "Be\u001b[31m brief.", maxTurns: 2 },
				{ id: "pay", kind: "agent" },
			],
			edges: [{ from: "desk", to: "pay", mode: "handoff" }],
		},
	);
	const layout = { width: Number.POSITIVE_INFINITY, paint: (_: unknown, text: string) => text };
	expect(renderBlocks(explainChanges(comparison), layout)).toBe(`Agent
  limits: {"maxSteps":9}, was not set

Nodes
  + pay (agent)
  - law (agent)
  ~ desk
    maxTurns: 3 → 2
    instructions: "Be\\u001b[31m brief.", was not set

Edges
  + desk → pay (handoff)
  - desk → law (call)
`);
	expect(explainChanges(compareAgents({ nodes: [] }, { nodes: [] }))).toEqual([]);
});
