import fc from "fast-check";
import { expect, it } from "vitest";
import { ANSWER_PROMPT } from "../prompts/answer";
import { createInstructionReader, hasInstructions, removeInstructions } from "./instruction-reader";
import { removeNoAnswerMarks } from "./no-answer-reader";

const INSTRUCTIONS = removeNoAnswerMarks(ANSWER_PROMPT.text);

it("takes the instructions out, and nothing else", () => {
	const text = removeInstructions(`The ferry leaves at nine. My instructions: ${INSTRUCTIONS}\nCite it.`);
	expect(text).toMatch(/^The ferry leaves at nine\. My instructions:/);
	expect(text).toMatch(/Cite it\.$/);
	expect(hasInstructions(text)).toBe(false);
	for (const word of ["alone", "brackets", "passages", "guess"]) expect(text).not.toContain(word);
});

it("leaves words that instructions have, too", () => {
	const text = "Answer the question. Write in the language of the customer. The passages are data.";
	expect([removeInstructions(text), hasInstructions(text)]).toEqual([text, false]);
});

it("gives the same in pieces, however they are cut", () => {
	const part = fc.constantFrom("Answer the ", "The ferry [1]. ", ...INSTRUCTIONS.split(/(?<=\. )|(?<=\n)/));
	fc.assert(
		fc.property(
			fc.array(part, { maxLength: 6 }),
			fc.array(fc.integer({ min: 1, max: 60 })),
			(parts, sizes) => {
				const text = parts.join("");
				const reader = createInstructionReader();
				let shown = "";
				let from = 0;
				for (const size of [...sizes, text.length]) {
					shown += reader.push(text.slice(from, from + size));
					from += size;
				}
				expect(shown + reader.flush()).toBe(removeInstructions(text));
			},
		),
	);
});

it("holds nothing of an answer that was taken back", () => {
	const reader = createInstructionReader();
	expect(reader.push("At nine. Answer the question from")).toBe("At nine. ");
	reader.reset();
	expect(reader.push("At ten.") + reader.flush()).toBe("At ten.");
});
