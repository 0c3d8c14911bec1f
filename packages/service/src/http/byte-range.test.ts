import { describe, expect, it } from "vitest";
import { parseRange, selectRange } from "./byte-range";

const part = (start: number, end: number) => ({ kind: "part", start, end });
const whole = { kind: "whole" };
const unsatisfiable = { kind: "unsatisfiable" };

describe("parseRange", () => {
	it.each([
		[undefined, whole],
		["bytes=0-0", part(0, 1)],
		["bytes=2-4", part(2, 5)],
		["Bytes=2-", part(2, 10)],
		["bytes=8-99", part(8, 10)],
		["bytes=-3", part(7, 10)],
		["bytes=-99", part(0, 10)],
		["bytes=-0", unsatisfiable],
		["bytes=10-", unsatisfiable],
		["bytes=99999999999999999999-", unsatisfiable],
		["bytes=5-4", whole],
		["bytes=-", whole],
		["bytes=0-1,4-5", whole],
		["bytes=a-b", whole],
		["lines=0-1", whole],
	])("%s", (header, range) => expect(parseRange(header, 10)).toEqual(range));

	it("has nothing to give of what is empty", () => {
		expect([parseRange("bytes=0-", 0), parseRange("bytes=-1", 0), parseRange(undefined, 0)]).toEqual([
			unsatisfiable,
			unsatisfiable,
			whole,
		]);
	});
});

describe("selectRange", () => {
	const range = "bytes=0-1";
	const select = (ifRange?: string, ifNoneMatch?: string) =>
		selectRange({ range, ifRange, ifNoneMatch }, '"a"', 10);

	it("gives the part only of what the client has the other parts of", () => {
		expect([select(), select('"a"'), select('"b"'), select('W/"a"')]).toEqual([
			part(0, 2),
			part(0, 2),
			whole,
			whole,
		]);
	});

	it("gives nothing to a client that has it", () => {
		for (const tags of ['"a"', 'W/"a"', '"b", "a"', "*"])
			expect(select(undefined, tags)).toEqual({ kind: "unmodified" });
		expect(select(undefined, '"b"')).toEqual(part(0, 2));
	});
});
