import { createCoverageReader, toQueryTerms } from "@stemma/core/internal";
import { describe, expect, it } from "vitest";
import { toCandidates } from "./candidate";
import { asksForNumber, scoreCandidate } from "./score-candidate";

/** The scores of the sentences of a passage, each with the same words in common with the question. */
function scores(question: string, text: string): number[] {
	const terms = toQueryTerms(question);
	const parsedQuestion = { weights: terms.map(() => 1), asksForNumber: asksForNumber(question) };
	const passage = { n: 1, text, document: "", heading: "", start: 0 };
	return toCandidates(passage, createCoverageReader(terms)).map((candidate) =>
		scoreCandidate(candidate, parsedQuestion, 0),
	);
}

describe("scoreCandidate", () => {
	it.each([
		"How long is parental leave?",
		"What is the minimum parental leave?",
		"When does parental leave end?",
	])("prefers figures for: %s", (question) => {
		const [words = 0, numbers = 0] = scores(
			question,
			"Parental leave is given to us all. Parental leave is 16 weeks.",
		);
		expect(numbers).toBeGreaterThan(words);
	});

	it("does not for other questions", () => {
		const [words, numbers] = scores(
			"Who gets parental leave?",
			"Parental leave is for us all. Parental leave is 16 of it all.",
		);
		expect(numbers).toBe(words);
	});

	it("prefers statements to questions and fragments", () => {
		const [question = 0, fragment = 0, statement = 0] = scores(
			"parental leave",
			"Is parental leave paid?\nParental leave\nParental leave is paid.",
		);
		expect(statement).toBeGreaterThan(fragment);
		expect(fragment).toBeGreaterThan(question);
	});

	it("gives nothing for what has no word in common", () => {
		expect(scores("parental leave", "The office is closed.")).toEqual([0]);
	});
});
