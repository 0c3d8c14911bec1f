import { describe, expect, it } from "vitest";
import { checkGraph } from "./check-graph";

const graph = (secret: string) => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "refund", kind: "tool", tool: "refund", server: "https://mcp.example", auth: { secret } },
	],
	edges: [{ from: "desk", to: "refund" }],
});

describe("the secret of a node", () => {
	it.each(["Billing", "billing.key", "_billing", "schlüssel", "a b", "b".repeat(65)])(
		"cannot be called %s",
		(secret) => {
			expect(() => checkGraph(graph(secret))).toThrow(
				expect.objectContaining({
					code: "agent_not_runnable",
					message: expect.stringMatching(/^The node "refund" names the secret "/),
					hint: "Use lower-case letters, digits, _ and -, up to 64, with a letter or a digit first.",
					param: "graph.nodes[1].auth.secret",
				}),
			);
		},
	);

	it.each(["billing", "0-billing_key", "b".repeat(64)])("may be called %s", (secret) =>
		expect(checkGraph(graph(secret)).nodes).toHaveLength(2),
	);
});
