import { describe, expect, it } from "vitest";
import { isStandaloneQuestion, readQueries } from "./rewrite-question";

describe("a question is searched for as it stands", () => {
	it.each([
		"When does the office open?",
		"Öffnungszeiten",
		"Is v1.2 of e.g. the A-10 covered?",
		"何時に開きますか？",
	])("where it is short and plain: %s", (question) => {
		expect(isStandaloneQuestion({ question })).toBe(true);
		expect(isStandaloneQuestion({ question, history: [] })).toBe(true);
	});

	it.each([
		[
			"with what was said before",
			"And part-time?",
			[{ role: "user", content: "How long is leave?" } as const],
		],
		["of several sentences", "I was ill in May. Does my leave grow? By how much?", []],
		["of several lines", "Hello,\nhow long is leave", []],
		["that is long", `How long is leave ${"for somebody who came late ".repeat(10)}?`, []],
	])("but not %s", (_, question, history) => {
		expect(isStandaloneQuestion({ question, history })).toBe(false);
	});
});

it.each([
	["leave of part-time employees", ["leave of part-time employees"]],
	[
		"1. leave in days\n2) sick leave\n- parental leave\n* a fourth",
		["leave in days", "sick leave", "parental leave"],
	],
	['"leave"\n\n`leave`\n', ["leave"]],
	["2026 budget", ["2026 budget"]],
	["<think>\nThey ask about leave.\n</think>\nleave in days", ["leave in days"]],
	["Here are the queries:\nleave in days", ["leave in days"]],
	['["leave in days", "sick leave"]', ["leave in days", "sick leave"]],
	['```json\n["leave in days"]\n```', ["leave in days"]],
	['{"queries": 1}', []],
	["", []],
	["x".repeat(401), []],
])("reads queries of %j", (text, queries) => {
	expect(readQueries(text)).toEqual(queries);
});
