import { type AgentGraph, inspectAgent } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { toResolveRequest } from "./to-resolve-request";

describe("the request for the models of a graph", () => {
	it("names the nodes that a run reaches, with the model that each asks for, and all knowledge bases", () => {
		const graph: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator", model: { model: "large", temperature: 0 } },
				{ id: "law", kind: "agent", model: { provider: "bedrock" } },
				{ id: "lost", kind: "agent" },
				{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook", "shop"] },
			],
			edges: [
				{ from: "desk", to: "law" },
				{ from: "desk", to: "pages", mode: "before" },
			],
		};
		expect(toResolveRequest(graph, inspectAgent(graph))).toEqual({
			nodes: [
				{ node: "desk", model: "large" },
				{ node: "law", provider: "bedrock" },
				{ node: "pages", stage: "rewrite", model: "large" },
			],
			knowledge_base_ids: ["handbook", "shop"],
		});
	});
});
