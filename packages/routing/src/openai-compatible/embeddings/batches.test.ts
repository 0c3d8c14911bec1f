import { describe, expect, it } from "vitest";
import { takeBatch, toBatchSize } from "./batches";

describe("a batch", () => {
	it.each([
		[2048, "api.openai.com"],
		[2048, "team.openai.azure.com"],
		[128, "api.voyageai.com"],
		[100, "generativelanguage.googleapis.com"],
		[96, "api.cohere.ai"],
		[32, "127.0.0.1:8080"],
	])("has %i texts at %s", (size, host) => {
		expect(toBatchSize(host)).toBe(size);
	});

	it("has no more than a request may hold, whatever the script, and one text at least", () => {
		const sizeOf = (text: string): number =>
			takeBatch(
				Array.from({ length: 100 }, () => text),
				0,
				100,
			).length;
		expect(sizeOf("a".repeat(8000))).toBe(75);
		expect(sizeOf("é".repeat(8000))).toBe(25);
		expect(sizeOf("字".repeat(400_000))).toBe(1);
		expect(sizeOf("")).toBe(100);
	});

	it("goes on where the last one ended", () => {
		expect(takeBatch(["a", "b", "c"], 1, 1)).toEqual(["b"]);
		expect(takeBatch(["a", "b", "c"], 1, 9)).toEqual(["b", "c"]);
	});
});
