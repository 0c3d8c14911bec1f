import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RetrievedPassage } from "../io/ports";
import { passage } from "../test-support/scripted";
import { flushCitations, reduceCitations, renumberMarks } from "./citation-reducer";
import { createCitationState } from "./citation-state";

const passages = [
	passage("a", "Refunds take five working days."),
	passage("b", "The office is in Lisbon."),
	passage("c", "退款需要五个工作日。"),
];

function reducerOver(list: readonly RetrievedPassage[]) {
	const state = createCitationState();
	return {
		push: (text: string) => reduceCitations(state, list, text),
		flush: () => flushCitations(state, list),
		citations: state.citations,
	};
}

function reduce(pieces: readonly string[]) {
	const reducer = reducerOver(passages);
	const outputs = pieces.map((piece) => reducer.push(piece));
	outputs.push(reducer.flush());
	return { outputs, text: outputs.join(""), citations: reducer.citations };
}

describe("renumberMarks", () => {
	it.each([
		["known numbers", "A [1], B [2,1].", "A [11], B [12][11]."],
		["numbers that are not known", "A [3] [1;4].", "A [?3] [11][?4]."],
		[
			"no code, links, years and other brackets",
			"`[1]` [1](x) [1998] [a] [ ] [1",
			"`[1]` [1](x) [1998] [a] [ ] [1",
		],
		["a year only where nothing is known beside it", "[1998, 1]", "[?1998][11]"],
	])("replaces %s", (_, text, expected) => {
		const toMark = (number: number) => (number <= 2 ? `[${number + 10}]` : undefined);
		expect(renumberMarks(text, toMark, (number) => `[?${number}]`)).toBe(expected);
	});
});

describe("createCitationReducer", () => {
	it.each([
		["maps numbers by first appearance", "B [2], A [1], B [2].", "B [1], A [2], B [1]."],
		["splits lists", "Both [1, 2].", "Both [1][2]."],
		["drops unknown numbers and the blank before them", "Fine [9]. Odd [0] [7]!", "Fine. Odd!"],
		["keeps the known part of a list", "Some [9, 2].", "Some [1]."],
		[
			"leaves code alone",
			"Use `a[1]` or\n```\nb[2] [9]\n```\nthen [2].",
			"Use `a[1]` or\n```\nb[2] [9]\n```\nthen [1].",
		],
		["ends inline code with its line", "A ` b\n[2]", "A ` b\n[1]"],
		["leaves other brackets alone", "See [note], [1a], [] and [ ].", "See [note], [1a], [] and [ ]."],
		["leaves an open bracket at the end", "And [1", "And [1"],
		["reads marks of other models", "A【1】, B [^2], C【3†source】, D ［2］.", "A[1], B [2], C[3], D [2]."],
		["reads ranges", "All [1-3], [2–3].", "All [1][2][3], [2][3]."],
		["reads a number twice in a list once", "Yes [1, 1].", "Yes [1]."],
		["drops an unknown mark of another model", "Fine【9】.", "Fine."],
		["reads blanks within a mark", "Yes [ 2 ].", "Yes [1]."],
		[
			"leaves links and years alone",
			"See [2](https://x) and [2024](y), in [1998] [9].",
			"See [2](https://x) and [2024](y), in [1998].",
		],
		["leaves code between tildes alone", "~~~\na[1]\n~~~\n[2]", "~~~\na[1]\n~~~\n[1]"],
		[
			"leaves marks alone that are too long for one",
			`X [${"1, ".repeat(30)}1].`,
			`X [${"1, ".repeat(30)}1].`,
		],
	])("%s", (_, text, expected) => {
		expect(reduce([text]).text).toBe(expected);
	});

	it("gives the same text and citations at every split", () => {
		const text =
			"Refunds take five days [1] ``x[2]`` [2][9]. \t[ 3 ; 1] and [12 or `[1] \n\n```\n[3]\n```\n五个工作日[3]。";
		const whole = reduce([text]);
		for (let at = 0; at <= text.length; at++) {
			const split = reduce([text.slice(0, at), text.slice(at)]);
			expect(split.text).toBe(whole.text);
			expect(split.citations).toEqual(whole.citations);
		}
		expect(reduce([...text])).toMatchObject({ text: whole.text, citations: whole.citations });
	});

	it("gives the same at every split of any text", () => {
		const piece = fc.constantFrom(
			"[",
			"]",
			"1",
			"2",
			"9",
			",",
			" ",
			"`",
			"```",
			"\n",
			"word",
			". ",
			"[1]",
			" [2]",
			"[3, 1]",
			"(",
			"~~~",
			"[1998]",
			"【",
			"】",
			"【1†a】",
			"[^",
			"-",
			"[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
		);
		fc.assert(
			fc.property(fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: 8 }), (chunks) => {
				const pieces = chunks.map((chunk) => chunk.join(""));
				const whole = reduce([pieces.join("")]);
				const split = reduce(pieces);
				expect(split.text).toBe(whole.text);
				expect(split.citations).toEqual(whole.citations);
			}),
			{ numRuns: 500 },
		);
	});

	it("holds back an open bracket and nothing else", () => {
		const reducer = reducerOver(passages);
		expect(reducer.push("Days [")).toBe("Days");
		expect(reducer.push("1")).toBe("");
		expect(reducer.push("] are")).toBe(" [1] are");
		expect(reducer.push(" five")).toBe(" five");
	});

	it("tells weak support from real support", () => {
		const { citations } = reduce([
			"Refunds take five working days [1]. The office moved to Porto in 2031 [2]. 退款需要五个工作日[3]。",
		]);
		expect(citations.map(({ support }) => support)).toEqual(["quoted", "weak", "quoted"]);
	});

	it("counts the sentence before a mark that stands behind its full stop", () => {
		expect(reduce(["Nothing of the kind. Refunds take five working days. [1]"]).citations[0]?.support).toBe(
			"quoted",
		);
	});

	it.each([
		[
			"the weaker of two claims",
			"The office is in Lisbon [2]. The office is in Porto [2].",
			"The office is in Porto",
		],
		[
			"the part of a sentence before its mark",
			"Refunds take five working days [1] in Lisbon and Porto [2].",
			"in Lisbon and Porto",
		],
		[
			"what follows a mark at the beginning",
			"[2] says: the office is in Porto.",
			"says: the office is in Porto.",
		],
		[
			"what a lead-in announces",
			"According to [2], the office is in Porto.",
			"According to [1], the office is in Porto.",
		],
		["a row of a table", "| City | Porto [2] |\n| Time | five days [1] |", "| City | Porto"],
	])("marks %s", (_, text, weak) => {
		const citation = reduce([text]).citations.find(({ passage_id }) => passage_id === "psg_b");
		expect(citation).toMatchObject({ support: "weak", weak_claims: [weak] });
	});

	it("notes numbers that no passage has, and no years", () => {
		const state = createCitationState();
		reduceCitations(state, passages, "A [9]. B [1, 7] [9]. C [2024].");
		expect(state.unknown).toEqual([9, 7]);
	});

	it("has source, address and metadata of the passage", () => {
		const state = createCitationState();
		const document = { source: "https://a.example/b", url: "https://a.example/b", metadata: { team: "x" } };
		reduceCitations(
			state,
			[{ ...passage("a", "Yes."), ...document }, passage("b", "No.")],
			"Yes [1]. No [2].",
		);
		expect(state.citations[0]).toMatchObject(document);
		expect(Object.keys(state.citations[1] ?? {})).not.toContain("url");
	});

	it("touches nothing while there are no passages", () => {
		const reducer = reducerOver([]);
		expect(reducer.push("Array [1, 2] and [") + reducer.flush()).toBe("Array [1, 2] and [");
	});

	it("is linear on many small pieces", () => {
		const reducer = reducerOver(passages);
		let length = 0;
		for (let piece = 0; piece < 60_000; piece++)
			length += reducer.push(piece % 3 === 0 ? " [1]" : "word ").length;
		expect(length + reducer.flush().length).toBeGreaterThan(240_000);
	});

	it.each([
		..."`~[](){}<>*_#|\\\"'.,;:!?-+=/&$%^@ \t\n\r1aé。\u200b",
		"`~",
		"``` ",
		"```\n",
		"~~~\n",
		"[1",
		"[ ",
		"x[1]",
		"`x`",
		"[1,",
		". ",
	])("is linear on %j in pieces of one character", (characters) => {
		const reducer = reducerOver(passages);
		const before = process.threadCpuUsage();
		let length = 0;
		for (const piece of characters.repeat(200_000 / characters.length)) length += reducer.push(piece).length;
		expect(length + reducer.flush().length).toBeGreaterThan(0);
		// Looking at all of it with each piece takes far longer, and once at each a hundredth of this.
		expect(process.threadCpuUsage(before).user).toBeLessThan(20_000_000);
	});

	it("gives a run of backticks out as it comes, and knows its length at its end", () => {
		const reducer = reducerOver(passages);
		expect(["``", "`", "\nx[1] ", "``", "`", " [2]", "."].map(reducer.push)).toEqual([
			"``",
			"`",
			"\nx[1]",
			" ``",
			"`",
			"",
			" [1].",
		]);
	});

	it("compares no more than 2,000 sentences of an answer with what they cite", () => {
		const reducer = reducerOver(passages);
		const startedAt = process.threadCpuUsage();
		reducer.push("Nothing of the kind is said in there at all [1]. ".repeat(20_000));
		reducer.push("The office is in Lisbon [2].");
		reducer.flush();
		expect(reducer.citations.map(({ support }) => support)).toEqual(["weak", "weak"]);
		expect(process.threadCpuUsage(startedAt).user).toBeLessThan(5_000_000);
	});

	it("reads a long passage once, however often it is cited", () => {
		const long = passage("long", "word ".repeat(100_000));
		const reducer = reducerOver([long]);
		const text = "Nothing of that is told there [1]. ".repeat(5000);
		expect((reducer.push(text) + reducer.flush()).length).toBe(text.length);
		expect(reducer.citations).toMatchObject([{ support: "weak" }]);
	});

	it("is linear on text made of blanks and brackets", () => {
		const reducer = reducerOver(passages);
		const text = `${" ".repeat(200_000)}${"[".repeat(200_000)}${"`".repeat(200_000)}`;
		expect((reducer.push(text) + reducer.flush()).length).toBe(text.length);
	});
});
