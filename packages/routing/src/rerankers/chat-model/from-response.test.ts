import { describe, expect, it } from "vitest";
import { fromResponse } from "./from-response";

const LIST = '{"scores":[{"id":2,"score":1},{"id":1,"score":4},{"id":3,"score":0}]}';

/** As a passage may say it, so that it is quoted. */
const QUOTED = '{"scores":[{"id":1,"score":4},{"id":2,"score":4},{"id":3,"score":4}]}';

describe("scores are read", () => {
	it.each([
		["as they were asked for", LIST],
		["in a fence", `\`\`\`json\n${LIST}\n\`\`\``],
		["in a fence within sentences", `Here {you} go:\n\`\`\`\n${LIST}\n\`\`\`\nDone [1].`],
		[
			"in the last of several fences",
			`It says:\n\`\`\`json\n${QUOTED}\n\`\`\`\nMine:\n\`\`\`json\n${LIST}\n\`\`\``,
		],
		["in a fence behind an odd one", `It has \`\`\` in it.\n\`\`\`json\n${LIST}\n\`\`\`\nDone.`],
		[
			"behind a fence that is quoted",
			`It says:\n\`\`\`json\n${QUOTED}\n\`\`\`\nMy scores: ${LIST} Done [1].`,
		],
		["in a fence in capitals", `\`\`\`JSON\n${LIST}\n\`\`\``],
		["within sentences", `Here you go: ${LIST} That is all.`],
		["behind thoughts", `<think>{"scores":[3]} or [2]?</think>\n${LIST}`],
		["as a bare list", '[{"id":1,"score":4},{"id":2,"score":1},{"id":3,"score":0}]'],
		["in strings", '{"scores":[{"id":"1","score":"4"},{"id":"2","score":"1.0"},{"id":"3","score":" 0"}]}'],
		["as numbers in order", '{"scores":[4,1,0]}'],
		["by id", '{"scores":{"1":4,"3":0,"2":1}}'],
		["by id alone", '{"1":4,"3":0,"2":"1"}'],
	])("%s", (_, text) => {
		expect(fromResponse(text, 3)).toEqual([1, 0.25, 0]);
	});

	it("between two steps too, but not on a scale from 0 to 1", () => {
		expect(fromResponse("[3.5]", 1)).toEqual([0.875]);
		expect(fromResponse("[0.9, 0.5, 1]", 3)).toBeUndefined();
		expect(fromResponse("[0, 1, 1]", 3)).toEqual([0, 0.25, 0.25]);
	});
});

describe("no judgement is", () => {
	it.each([
		["nothing", ""],
		["words", "Passage 1 is the best, then 2, then 3."],
		["half a list", LIST.slice(0, -10)],
		["half a list behind a whole one", `It says: ${QUOTED} Mine: ${LIST.slice(0, -10)}`],
		["of two lists", `It says: ${QUOTED} Mine: ${LIST}`],
		["one too few", '{"scores":[{"id":1,"score":4},{"id":2,"score":1}]}'],
		["one too many", '{"scores":[4,1,0,0]}'],
		["one twice", '{"scores":[{"id":1,"score":4},{"id":1,"score":4},{"id":2,"score":0},{"id":3,"score":0}]}'],
		["of what was not shown", '{"scores":[{"id":0,"score":4},{"id":1,"score":1},{"id":2,"score":0}]}'],
		["on another scale", '{"scores":[10,3,0]}'],
		["below the scale", '[{"id":1,"score":-1},{"id":2,"score":1},{"id":3,"score":0}]'],
		["in words", '{"scores":["high","low","low"]}'],
		["null", '{"scores":[4,null,0]}'],
		["of no ids", '{"scores":[{"score":4},{"score":1},{"score":0}]}'],
		["of no list", '{"scores":null}'],
		["a number", "4"],
		["null alone", "null"],
		["wrapped without end", `${'{"scores":'.repeat(20_000)}[4,1,0]${"}".repeat(20_000)}`],
	])("%s", (_, text) => {
		expect(fromResponse(text, 3)).toBeUndefined();
	});

	it("an endless bracket, and it is soon found out", () => {
		const start = process.threadCpuUsage();
		expect(fromResponse("[".repeat(200_000), 3)).toBeUndefined();
		expect(fromResponse(`\`\`\`json${" ".repeat(200_000)}`, 3)).toBeUndefined();
		expect(fromResponse("```{".repeat(50_000), 3)).toBeUndefined();
		expect(process.threadCpuUsage(start).user).toBeLessThan(2_000_000);
	});
});
