import { describe, expect, it } from "vitest";
import { checkDraft } from "./check-draft";

const issuesOf = (text: string) =>
	checkDraft(text).issues.map(({ place, from, to }) => [place, text.slice(from, to)]);

describe("a draft of a graph", () => {
	it("is its graph, where it is valid", () => {
		const graph = { nodes: [{ id: "desk", kind: "coordinator" }] };
		expect(checkDraft(JSON.stringify(graph))).toEqual({ graph, issues: [] });
	});

	it("has all problems at once, each at its place", () => {
		const text = `{
	"nodes": [
		{ "id": "desk", "kind": "coordinator", "maxTurns": 0 },
		{ "id": "pages", "kind": "knowledge" }
	],
	"edges": [{ "from": "desk", "to": "lost" }]
}`;
		expect(issuesOf(text)).toEqual([
			["nodes[0].maxTurns", "0"],
			["nodes[1].knowledgeBases", "{"],
			["edges[0].to", '"lost"'],
		]);
		expect(checkDraft(text).graph).toBeUndefined();
	});

	it("is not JSON yet, at a line", () => {
		expect(issuesOf('{\n\t"nodes": [}')).toEqual([["line 2, column 12", "}"]]);
		expect(issuesOf("{} // later")[0]?.[0]).toBe("line 1, column 4");
		expect(issuesOf("")[0]?.[0]).toBe("line 1, column 1");
		expect(issuesOf('{"nodes": [],}').length).toBeGreaterThan(0);
	});
});
