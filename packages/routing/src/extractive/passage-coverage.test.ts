import { createCoverageReader, toQueryTerms } from "@stemma/core/internal";
import { expect, it } from "vitest";
import { computeCoverage } from "./passage-coverage";

function cover(question: string, ...texts: readonly string[]): number {
	const terms = toQueryTerms(question);
	const passages = texts.map((text) => ({ document: "Handbook", heading: "", text }));
	return computeCoverage(
		passages,
		createCoverageReader(terms),
		terms.map(() => 1),
	);
}

const QUESTION = "What does a late return cost?";

it("is all of a question that one sentence covers", () => {
	expect(cover(QUESTION, "A late return costs 12 euro.", "Something else.")).toBe(1);
});

it("is less where the words are far apart", () => {
	const together = cover(QUESTION, "Keys. Doors. A late return costs 12 euro. Walls.");
	const besides = cover(QUESTION, "Keys. It is late. The return costs 12 euro. Walls.");
	const apart = cover(QUESTION, "It is late. Keys. Doors. A return. Walls. Roofs. It costs 12 euro.");
	expect(together).toBeGreaterThan(besides);
	expect(besides).toBeGreaterThan(apart);
});

it("is more where one passage covers more than any other", () => {
	const text = "A late return is possible.";
	expect(cover(QUESTION, text, "Keys.")).toBeGreaterThan(
		cover(QUESTION, text, "A late return needs a form."),
	);
});

it("is nothing without passages, and of a question without words", () => {
	expect(cover(QUESTION)).toBe(0);
	expect(cover("What?", "What is what?")).toBe(0);
});
