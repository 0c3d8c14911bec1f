import { expect, it } from "vitest";
import { toCharacterEnd } from "./character-end";

it("ends with a whole character, wherever text is cut", () => {
	const bytes = Buffer.from("aé世𝄞z");
	const ends = Array.from(bytes, (_, index) => toCharacterEnd(bytes.subarray(0, index)));
	expect([...ends, toCharacterEnd(bytes)]).toEqual([0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
});

it("leaves out at most three bytes of what is no text", () => {
	expect(toCharacterEnd(Buffer.alloc(8, 0x80))).toBe(8);
	expect(toCharacterEnd(Buffer.from([0xff, 0xff, 0xff]))).toBe(2);
});
