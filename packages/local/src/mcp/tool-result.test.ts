import type { McpOutcome } from "@stemma/client/mcp";
import { describe, expect, it } from "vitest";
import { readToolResult } from "./tool-result";

// Servers give what they like.
const read = (outcome: object) =>
	readToolResult(
		{ status: "complete", content: [], ...outcome } as unknown as McpOutcome,
		"look",
		"https://m.example",
	);

const text = (words: string) => ({ type: "text", text: words });

describe("the result of a tool", () => {
	it.each([
		["its text", [text("one"), text("two")], "one\ntwo"],
		["nothing", [], ""],
		["no list", undefined, ""],
		[
			"marks",
			[{ type: "image", data: "aaaa" }, { type: "audio" }, { type: "hologram" }, null],
			"[image]\n[audio]\n[hologram]\n[unknown]",
		],
		["a link", [{ type: "resource_link", uri: "file:///a.pdf", name: "a.pdf" }], "[resource: a.pdf]"],
		[
			"a file",
			[{ type: "resource", resource: { uri: "file:///a.pdf", blob: "aaaa" } }],
			"[resource: file:///a.pdf]",
		],
		[
			"a text file",
			[{ type: "resource", resource: { uri: "f:/a", text: "Dear all" } }],
			"[resource: f:/a]\nDear all",
		],
		["a name that breaks out", [{ type: "resource_link", name: "a]\n[b" }], "[resource: a b]"],
	])("is %s", (_, content, expected) => expect(read({ content })).toBe(expected));

	it.each([[{ n: 1 }], [[1, "2"]], [0], [null], ["a text"]])(
		"is its structured content: %j",
		(structuredContent) =>
			expect(read({ structuredContent, content: [text("in words")] })).toEqual(structuredContent),
	);

	it("is cut where it is long, and says so", () => {
		const cut = read({ content: [text("😀".repeat(206_000))] });
		expect(cut).toMatch(/^(😀){50000}… \[cut: 312,000 of 412,000 characters\]$/u);
		expect(read({ content: [text(`x${"😀".repeat(50_000)}`)] })).toMatch(
			/😀… \[cut: 2 of 100,001 characters\]$/u,
		);
		const whole = "x".repeat(100_000);
		expect(read({ content: [text(whole)] })).toBe(whole);
	});

	it("is cut as text where it is structured", () => {
		const rows = Array.from({ length: 30_000 }, (_, n) => ({ n }));
		expect(read({ structuredContent: { rows } })).toMatch(
			/^\{"rows":\[\{"n":0\},.*… \[cut: [\d,]+ of [\d,]+ characters\]$/,
		);
	});

	it("that is a failure is thrown, in the words of the tool", () => {
		expect(() =>
			read({ isError: true, content: [text("The till"), text("is closed.")], structuredContent: {} }),
		).toThrow(/^The till\nis closed\.$/);
		expect(() => read({ isError: true })).toThrow('The tool "look" failed, and did not say why.');
	});

	it("that asks for something is refused", () =>
		expect(() => read({ status: "input_required", inputRequests: {} })).toThrow(
			'The tool "look" of https://m.example asks for input before it continues',
		));
});
