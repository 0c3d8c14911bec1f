import { expect, test } from "vitest";
import { createId, createIdGenerator, readIdTime } from "./id";

const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(10));

test("a prefix and 26 characters that are easy to tell apart", () => {
	expect(createId("run", Date.now(), random())).toMatch(/^run_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

test("sorts by time, whatever the random part is", () => {
	const times = [0, 1, 1_000, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
	const ids = times.map((time, index) =>
		createId("run", time, new Uint8Array(10).fill(index % 2 === 0 ? 255 : 0)),
	);
	expect([...ids].sort()).toEqual(ids);
});

test("is a UUIDv7 of the time and the random bytes", () => {
	const id = createId("x", 0x0123456789ab, new Uint8Array(10).fill(0xff));
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
	const bits = [...id.slice(2)]
		.map((character) => alphabet.indexOf(character).toString(2).padStart(5, "0"))
		.join("");
	expect(BigInt(`0b${bits}`).toString(16).padStart(32, "0")).toBe("0123456789ab7fffbfffffffffffffff");
});

test("differs by every random bit that is its own", () => {
	const ids = new Set(Array.from({ length: 1_000 }, () => createId("x", 5, random())));
	expect(ids.size).toBe(1_000);
});

test("each id sorts after the one before, within a millisecond and whatever its prefix", () => {
	const start = 1_700_000_000_000;
	let time = start;
	const next = createIdGenerator(() => time, random);
	const ids = Array.from({ length: 20_000 }, (_, index) => {
		if (index % 7_000 === 6_999) time += 1;
		return next(index % 2 === 0 ? "run" : "doc").slice(4);
	});
	expect([...ids].sort()).toEqual(ids);
	expect(new Set(ids).size).toBe(ids.length);
	expect(readIdTime(`run_${ids.at(-1)}`)).toBeLessThan(start + 20);
});

test("tells its time, and no other text does", () => {
	const time = 1_795_403_411_123;
	expect(readIdTime(createId("run", time, random()))).toBe(time);
	for (const text of ["", "run_1", "default", "run_zzz", `${createId("run", time, random())}x`])
		expect(readIdTime(text)).toBeUndefined();
});
