import { createAgentJsonSchema } from "@stemma/core/agent-json-schema";
import { describe, expect, it } from "vitest";
import { findCompletions } from "./find-completions";

const schema = createAgentJsonSchema();

/** Suggestions at the `|` of a text, and the text after the first of them was taken. */
function complete(marked: string) {
	const offset = marked.indexOf("|");
	const text = marked.replace("|", "");
	const { from, to, options } = findCompletions(text, offset, { schema, knowledgeBases: ["handbook"] });
	const labels = options.map(({ label }) => label);
	const [first] = options;
	return { labels, options, taken: text.slice(0, from) + (first?.text ?? "") + text.slice(to) };
}

describe("suggestions for a graph", () => {
	it("are fields with their descriptions, without those that are there", () => {
		const { labels, options, taken } = complete('{ "name": "x", "n|" }');
		expect(labels).toContain("nodes");
		expect(labels).not.toContain("name");
		expect(options.find(({ label }) => label === "limits")?.description).toMatch(/What ends a run/);
		expect(taken).toMatch(/^\{ "name": "x", "\$schema": {2}\}$/);
	});

	it("are fields of the kind of a node, of all kinds while there is none", () => {
		expect(complete('{ "nodes": [{ "kind": "knowledge", | }] }').labels).toContain("topK");
		expect(complete('{ "nodes": [{ "kind": "knowledge", | }] }').labels).not.toContain("instructions");
		expect(complete('{ "nodes": [{ | }] }').labels).toEqual(
			expect.arrayContaining(["topK", "instructions", "server"]),
		);
	});

	it("are kinds and modes, yes and no", () => {
		expect(complete('{ "nodes": [{ "kind": "|" }] }').labels).toEqual([
			...["coordinator", "agent", "knowledge", "tool", "remote"],
		]);
		const kinds = complete('{ "nodes": [{ "kind": "tool|" }] }').labels;
		expect(kinds).toContain("agent");
		expect(complete('{ "edges": [{ "mode": | }] }').labels).toEqual(["call", "handoff", "before", "then"]);
		expect(complete('{ "nodes": [{ "kind": "tool", "approval": | }] }').labels).toEqual(["true", "false"]);
	});

	it("are the ids of nodes in edges, and knowledge bases", () => {
		const { labels, taken } = complete('{ "nodes": [{ "id": "desk" }], "edges": [{ "from": "d|" }] }');
		expect(labels).toEqual(["desk"]);
		expect(taken).toBe('{ "nodes": [{ "id": "desk" }], "edges": [{ "from": "desk" }] }');
		expect(complete('{ "nodes": [{ "kind": "knowledge", "knowledgeBases": ["|"] }] }').labels).toEqual([
			"handbook",
		]);
	});

	it("are none where anything can be written", () => {
		expect(complete('{ "name": "|" }').labels).toEqual([]);
		expect(complete("|").labels).toEqual([]);
	});
});
