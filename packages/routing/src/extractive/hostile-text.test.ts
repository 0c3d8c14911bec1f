import { expect, it } from "vitest";
import { readMarkedSentences } from "./marked-sentences";

it("reads sentences with very many blanks in time that is linear", () => {
	const blanks = " ".repeat(150_000);
	expect(readMarkedSentences(`Refunds take${blanks}five days [1].`)).toMatchObject([
		{ text: `Refunds take${blanks}five days.`, marks: "[1]" },
	]);
});

it("takes marks out with the blanks before them, and no other blanks", () => {
	expect(readMarkedSentences("Refunds  take [2, 1] five days [3].")).toMatchObject([
		{ text: "Refunds  take five days.", marks: "[2, 1][3]" },
	]);
});
