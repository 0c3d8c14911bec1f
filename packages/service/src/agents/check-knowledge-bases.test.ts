import type { AgentGraph } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { checkKnowledgeBases } from "./check-knowledge-bases";

const HANDBOOK = { id: "kb_01kambn3qd3c0v1yw5x2f8zt4r", slug: "handbook", name: "Handbook" };
const PRICES = { id: "kb_01kambp9hs7g2m4qa6e8j0rvnx", slug: "price-list-2", name: "Price list" };

const graphOf = (...knowledgeBases: [string, ...string[]]): AgentGraph => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "office", kind: "knowledge", knowledgeBases },
	],
	edges: [{ from: "desk", to: "office" }],
});

const issuesOf = (graph: AgentGraph, canSeeKnowledgeBases = true): unknown => {
	try {
		checkKnowledgeBases(graph, { existing: [HANDBOOK, PRICES], canSeeKnowledgeBases });
	} catch (error) {
		return (error as { readonly details: { readonly issues: unknown } }).details.issues;
	}
	return [];
};

describe("checkKnowledgeBases", () => {
	it("accepts knowledge bases that exist", () => {
		expect(issuesOf(graphOf(HANDBOOK.id, PRICES.slug))).toEqual([]);
	});

	it.each([
		["a name", "Handbook", HANDBOOK],
		["nearly a slug", "handbok", HANDBOOK],
		["nearly a name", "price-list", PRICES],
		["nearly an id", HANDBOOK.id.replace("3c0v", "3cOv"), HANDBOOK],
	])("suggests the slug for %s", (_, input, { slug, name }) => {
		expect(issuesOf(graphOf(input))).toEqual([
			expect.objectContaining({ message: expect.stringContaining(`Did you mean "${slug}" ("${name}")?`) }),
		]);
	});

	it("names every one that is unknown, by its path", () => {
		expect(issuesOf(graphOf("kb_gone", HANDBOOK.id, "something else"))).toEqual([
			{
				code: "unknown_knowledge_base",
				message: 'There is no knowledge base "kb_gone".',
				path: ["nodes", 1, "knowledgeBases", 0],
			},
			{
				code: "unknown_knowledge_base",
				message: 'There is no knowledge base "something else".',
				path: ["nodes", 1, "knowledgeBases", 2],
			},
		]);
	});

	it("does not tell a caller what there is that may not see it", () => {
		expect(JSON.stringify(issuesOf(graphOf("Handbook"), false))).not.toContain(HANDBOOK.id);
	});
});
