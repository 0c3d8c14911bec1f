import fc from "fast-check";
import { expect, test } from "vitest";
import { hasMoreJsonValues } from "./count-json-values";

const toBytes = (text: string) => new TextEncoder().encode(text);

/** All values of a JSON value but the outermost. */
const countParts = (value: unknown): number =>
	typeof value !== "object" || value === null
		? 0
		: Object.values(value).reduce((sum: number, part) => sum + 1 + countParts(part), 0);

test.each(["[]", "{}", "0", '""'])("a list of many %s has more than few values", (value) => {
	const bytes = toBytes(`[${Array(2_000).fill(value).join(",")}]`);
	expect(hasMoreJsonValues(bytes, 500)).toBe(true);
	expect(hasMoreJsonValues(bytes, 2_000)).toBe(false);
});

test("what is in a string is no value", () => {
	const text = ',[{\\"'.repeat(1_000);
	expect(hasMoreJsonValues(toBytes(JSON.stringify([text, text])), 10)).toBe(false);
	expect(hasMoreJsonValues(toBytes(`["${"\\\\".repeat(500)}",1,"${text}`), 10)).toBe(false);
});

test("never refuses a text that has no more", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(hasMoreJsonValues(toBytes(JSON.stringify(value)), countParts(value))).toBe(false);
		}),
	);
});
