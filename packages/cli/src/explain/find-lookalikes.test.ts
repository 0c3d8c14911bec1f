import { describe, expect, it } from "vitest";
import { findLookalikes } from "./find-lookalikes";

describe("findLookalikes", () => {
	it.each([
		["{{user}}", "{{user}}", "context.user"],
		["{{ user.name }}", "{{ user.name }}", "context.user.name"],
		["for {{ context.a and more", "{{ context.a", "context.a"],
		["{{context.a}", "{{ context.a", "context.a"],
		["{{Context.a}}", "{{Context.a}}", "context.a"],
		["{{ .user }}", "{{ .user }}", "context.user"],
		["{{context.a | upper}}", "{{context.a | upper}}", "context.a"],
	])("of %j tells what was probably meant", (instructions, shown, meant) =>
		expect(findLookalikes(instructions)).toEqual([
			`"${shown}" in its instructions is not a placeholder; did you mean {{${meant}}}?`,
		]),
	);

	it.each([["{{#if user}}"], ["{{context}}"], ["{{> header}}"]])("of %j tells what there is", (text) =>
		expect(findLookalikes(text)).toEqual([
			`"${text}" in its instructions is not a placeholder; only {{context.path}} is filled`,
		]),
	);

	it.each([
		["{{context.a}} {{ context.b.0.c }} {{{context.d}}}"],
		['Answer as {"a":{"b":1}}, or {{"a": 1}}.'],
		["{user} {{}} {{ }}"],
		["{{"],
	])("finds nothing in %j", (instructions) => expect(findLookalikes(instructions)).toEqual([]));

	it("tells of each once, and of many the first", () => {
		expect(findLookalikes("{{a}} {{a}}")).toHaveLength(1);
		const many = Array.from({ length: 8 }, (_, index) => `{{v${index}}}`).join(" ");
		expect(findLookalikes(many).slice(-2)).toEqual([
			expect.stringContaining("{{v4}}"),
			"3 more of its instructions are not placeholders either",
		]);
	});

	// With time that grows with the square of the length this would take minutes.
	it.each(["{", "{{ ", "{{a", " {{context.a", "{{\t"])("is done soon with very many %j", (part) => {
		expect(findLookalikes(part.repeat(200_000)).length).toBeLessThan(7);
	});
	it("is done soon with very much white space", () => {
		expect(findLookalikes(`{{${" \n".repeat(200_000)}`)).toEqual([]);
	});
});
