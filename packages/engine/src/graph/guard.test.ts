import { describe, expect, it } from "vitest";
import { guardHolds } from "./guard";

const output = { mood: "bad", "a/b": { "~": [10, { x: null }] }, list: [1, { y: 2 }], nothing: null };

describe("guardHolds", () => {
	it.each([
		[{ path: "/mood", equals: "bad" }, true],
		[{ path: "/mood", equals: "good" }, false],
		[{ path: "/a~1b/~0/0", equals: 10 }, true],
		[{ path: "/a~1b/~0/01", equals: 10 }, false],
		[{ path: "/list", equals: [1, { y: 2 }] }, true],
		[{ path: "/list", equals: [1, { y: 2, z: 3 }] }, false],
		[{ path: "/list/1", in: [{ y: 1 }, { y: 2 }] }, true],
		[{ path: "/nothing", exists: true }, true],
		[{ path: "/nothing", equals: null }, true],
		[{ path: "/missing", exists: true }, false],
		[{ path: "/missing", equals: null }, false],
		[{ path: "/toString", exists: true }, false],
		[{ path: "/list/length", exists: true }, false],
		[{ path: "", exists: true }, true],
	] as const)("%j on an object: %s", (guard, holds) => {
		expect(guardHolds(guard, output)).toBe(holds);
	});

	it("holds for text only as a whole", () => {
		expect(guardHolds({ path: "", equals: "bad" }, "bad")).toBe(true);
		expect(guardHolds({ path: "/mood", exists: true }, '{"mood":"bad"}')).toBe(false);
		expect(guardHolds({ path: "/0", exists: true }, "bad")).toBe(false);
	});
});
