import { describe, expect, it } from "vitest";
import { readPassages } from "./read-passages";

describe("the passages of a knowledge node", () => {
	it("are read from its output", () => {
		const passages = [{ n: 2, document: "Refunds", text: "Five days.", place: { start: 0, end: 10 } }];
		expect(readPassages({ query: "?", passages })).toEqual([
			{ number: 2, title: "Refunds", text: "Five days." },
		]);
		expect(readPassages({ query: "?", passages: [] })).toEqual([]);
	});

	it.each([[undefined], [null], ["text"], [{ passages: [{ n: "2" }] }], [{ passages: {} }]])(
		"are none in %j",
		(output) => expect(readPassages(output)).toBeUndefined(),
	);
});
