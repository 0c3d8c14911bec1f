import { describe, expect, it } from "vitest";
import { parseAgentFile } from "./parse-agent-file";

const parse = (content: unknown, file = "desk.json") =>
	parseAgentFile({
		file,
		bytes: new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content)),
	});

const graph = { name: "The desk", nodes: [{ id: "a", kind: "coordinator" }] };

describe("parseAgentFile", () => {
	it("reads a graph, called as its file", () => {
		expect(parse(graph)).toMatchObject({
			id: "desk",
			form: "graph",
			name: "The desk",
			description: null,
			definition: { form: "graph", graph },
			issues: [],
		});
	});

	it("reads a manifest, called as it says, else as its file", () => {
		expect(parse({ remoteAgentId: "ag_1", id: "help", name: "Help", description: "Helps" })).toEqual({
			file: "desk.json",
			id: "help",
			form: "manifest",
			name: "Help",
			description: "Helps",
			version: expect.stringMatching(/^[0-9a-f]{12}$/),
			definition: { form: "manifest", remoteAgentId: "ag_1" },
			issues: [],
			warnings: [],
		});
		expect(parse({ remoteAgentId: "ag_1" })).toMatchObject({ id: "desk", issues: [] });
	});

	it.each([
		["url", /Its fields are/],
		["descripton", /Did you mean "description"/],
	])("warns of a manifest's field that is not known: %s", (field, message) => {
		const { definition, issues, warnings } = parse({ remoteAgentId: "ag_1", [field]: "x" });
		expect({ definition, issues }).toEqual({
			definition: { form: "manifest", remoteAgentId: "ag_1" },
			issues: [],
		});
		expect(warnings).toEqual([
			{ code: "unknown_field", path: [field], message: expect.stringMatching(message) },
		]);
	});

	it("accepts a byte order mark", () => {
		expect(parse(`\uFEFF${JSON.stringify(graph)}`)).toMatchObject({ issues: [], definition: { graph } });
	});

	it.each([
		["", /^The file is empty/],
		[" \n", /^The file is empty/],
		['{"nodes": [\n  {"id": "a",}\n]}', /^Not JSON at line 2, column 14: a property name in double quotes/],
		['["abc', /^Not JSON at line 1, column 2: a string has no closing quote/],
		["[".repeat(100_000), /column 100001: it ends too early/],
	])("says where %j stops being JSON", (text, message) => {
		const { issues } = parse(text);
		expect(issues).toEqual([{ code: "invalid_json", path: [], message: expect.stringMatching(message) }]);
	});

	it("tells versions apart by content alone", () => {
		expect(parse(graph).version).toBe(parse(graph, "other.json").version);
		expect(parse(graph).version).not.toBe(parse({ ...graph, name: "b" }).version);
	});

	it.each([
		["both forms", { remoteAgentId: "ag_1", nodes: [] }, "invalid_manifest", ["remoteAgentId"], /both/],
		[
			"a manifest whose field is misspelled",
			{ remoteAgentid: "ag_1" },
			"invalid_manifest",
			["remoteAgentid"],
			/Did you mean "remoteAgentId"/,
		],
		[
			"an id that is an object",
			{ remoteAgentId: { toString: 1 } },
			"invalid_manifest",
			["remoteAgentId"],
			/1 to 64/,
		],
		["an id of a wrong kind", { remoteAgentId: 7 }, "invalid_manifest", ["remoteAgentId"], /1 to 64/],
		[
			"an id that leads elsewhere",
			{ remoteAgentId: "../x" },
			"invalid_manifest",
			["remoteAgentId"],
			/1 to 64/,
		],
		["a name with spaces", { remoteAgentId: "ag_1", id: "a b" }, "invalid_manifest", ["id"], /1 to 64/],
		["an empty name", { remoteAgentId: "ag_1", id: "" }, "invalid_manifest", ["id"], /1 to 64/],
		[
			"a description of a wrong kind",
			{ remoteAgentId: "ag_1", description: 1 },
			"invalid_manifest",
			["description"],
			/string/,
		],
		["no form at all", {}, "invalid_shape", ["nodes"], /./],
		["a list", [], "invalid_shape", [], /./],
		["null", null, "invalid_shape", [], /./],
		["broken JSON", "{\n x", "invalid_json", [], /line 2, column 2/],
		["nothing", "", "invalid_json", [], /empty/],
	])("refuses %s", (_, content, code, path, message) => {
		const { definition, issues } = parse(content);
		expect(definition).toBeUndefined();
		expect(issues[0]).toEqual({ code, path, message: expect.stringMatching(message) });
	});

	it("refuses a file that is called as no agent may be", () => {
		const parsed = parse(graph, "my desk.json");
		expect(parsed).toMatchObject({ id: "my desk", issues: [{ code: "invalid_id" }] });
		expect(parsed.definition).toBeUndefined();
		expect(parse({ remoteAgentId: "ag_1", id: "desk" }, "my desk.json").issues).toEqual([]);
		expect(parse(graph, `${"a".repeat(65)}.json`).issues).toHaveLength(1);
	});

	it("refuses what is no text, and what is too large", () => {
		expect(parseAgentFile({ file: "a.json", bytes: new Uint8Array([0x7b, 0xff]) }).issues[0]?.code).toBe(
			"not_text",
		);
		expect(parse(`{"a":"${"x".repeat(2e6)}"}`).issues[0]?.code).toBe("file_too_large");
	});
});
