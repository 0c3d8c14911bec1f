import { describe, expect, it } from "vitest";
import { findInvalidPlaceholders } from "./find-invalid-placeholders";

describe("findInvalidPlaceholders", () => {
	it.each([
		["{{user}}", "{{user}}", "context.user"],
		["{{ user.name }}", "{{ user.name }}", "context.user.name"],
		["for {{ context.a and more", "{{ context.a", "context.a"],
		["{{context.a}", "{{ context.a", "context.a"],
		["{{Context.a}}", "{{Context.a}}", "context.a"],
		["{{ .user }}", "{{ .user }}", "context.user"],
		["{{context.a | upper}}", "{{context.a | upper}}", "context.a"],
	])("of %j tells what was probably meant", (instructions, shown, suggestion) =>
		expect(findInvalidPlaceholders(instructions)).toEqual([
			`"${shown}" in its instructions is not a placeholder; did you mean {{${suggestion}}}?`,
		]),
	);

	it.each([["{{#if user}}"], ["{{context}}"], ["{{> header}}"]])("of %j tells what there is", (text) =>
		expect(findInvalidPlaceholders(text)).toEqual([
			`"${text}" in its instructions is not a placeholder; only {{context.path}} is filled`,
		]),
	);

	it.each([
		["{{context.a}} {{ context.b.0.c }} {{{context.d}}}"],
		['Answer as {"a":{"b":1}}, or {{"a": 1}}.'],
		["{user} {{}} {{ }}"],
		["{{"],
	])("finds nothing in %j", (instructions) => expect(findInvalidPlaceholders(instructions)).toEqual([]));

	it("tells of each once, and of many the first", () => {
		expect(findInvalidPlaceholders("{{a}} {{a}}")).toHaveLength(1);
		const many = Array.from({ length: 8 }, (_, index) => `{{v${index}}}`).join(" ");
		expect(findInvalidPlaceholders(many).slice(-2)).toEqual([
			expect.stringContaining("{{v4}}"),
			"3 more of its instructions are not placeholders either",
		]);
	});

	// With time that grows with the square of the length this would take minutes.
	it.each(["{", "{{ ", "{{a", " {{context.a", "{{\t"])("is done soon with very many %j", (part) => {
		expect(findInvalidPlaceholders(part.repeat(200_000)).length).toBeLessThan(7);
	});
	it("is done soon with very much white space", () => {
		expect(findInvalidPlaceholders(`{{${" \n".repeat(200_000)}`)).toEqual([]);
	});
});
