import { validateAgent } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { createFromTemplate, TEMPLATES } from "./agent-templates";

describe("the templates", () => {
	it.each(TEMPLATES)("%s is a valid graph, with and without knowledge bases", (template) => {
		for (const knowledgeBases of [[], ["handbook", "shop"]]) {
			const graph = createFromTemplate(template, { name: "Desk", knowledgeBases });
			expect(validateAgent(graph)).toMatchObject({ success: true, graph: { name: "Desk" } });
		}
	});

	it("search all knowledge bases before they answer", () => {
		const { nodes, edges } = createFromTemplate("knowledge", {
			name: "Desk",
			knowledgeBases: ["handbook", "shop"],
		});
		expect(nodes[1]).toMatchObject({ kind: "knowledge", knowledgeBases: ["handbook", "shop"] });
		expect(edges).toEqual([{ from: "assistant", to: "documents", mode: "before" }]);
	});
});
