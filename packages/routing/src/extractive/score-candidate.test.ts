import { createCoverageReader, toQueryTerms } from "@stemma/core/internal";
import { describe, expect, it } from "vitest";
import { toCandidates } from "./candidate";
import { asksForNumber, isNegation, scoreCandidate } from "./score-candidate";

/** The scores of the sentences of a passage, each with the same words in common with the question. */
function scores(question: string, text: string): number[] {
	const terms = toQueryTerms(question);
	const parsedQuestion = {
		weights: terms.map(() => 1),
		asksForNumber: asksForNumber(question),
		isNegated: isNegation(question),
	};
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

	it("prefers what always holds to what holds in a special case", () => {
		const [special = 0, general = 0] = scores(
			"parental leave",
			"If it suits you, parental leave is paid. It suits us: parental leave is paid.",
		);
		expect(general).toBeGreaterThan(special);
	});

	it("prefers what is to what is not, unless that is asked for", () => {
		const text = "Parental leave is not paid. Parental leave is fully paid.";
		const [negated = 0, affirmed = 0] = scores("What about parental leave?", text);
		expect(affirmed).toBeGreaterThan(negated);
		const [asked = 0, other = 0] = scores("When is parental leave not there?", text);
		expect(asked).toBe(other);
	});

	it("prefers statements to rows whose columns have no names", () => {
		const [row = 0, statement = 0] = scores(
			"parental leave",
			"2.0 | 26-07 | Rosa Weber | Updates of parental leave\n\nRosa Weber updates the parental leave in July.",
		);
		expect(statement).toBeGreaterThan(row);
	});

	it("gives nothing for what has no word in common", () => {
		expect(scores("parental leave", "The office is closed.")).toEqual([0]);
	});
});
