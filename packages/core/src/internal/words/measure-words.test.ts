import { expect, it } from "vitest";
import { dropMeasureWords } from "./measure-words";

it.each([
	["How long does a refund take?", "How does a refund take?"],
	["And how often is that?", "And how is that?"],
	["Wie lange dauert es?", "Wie dauert es?"],
	["Wie groß ist das Zimmer?", "Wie ist das Zimmer?"],
	["How long?", "How long?"],
	["Wie weitgehend gilt das?", "Wie weitgehend gilt das?"],
	["How many long parcels are there?", "How many long parcels are there?"],
])("leaves of %s what is asked about", (question, rest) => {
	expect(dropMeasureWords(question)).toBe(rest);
});
