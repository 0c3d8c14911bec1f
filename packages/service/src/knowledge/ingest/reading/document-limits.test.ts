import { expect, test } from "vitest";
import { toReadingMemoryMebibytes } from "./document-limits";

const GIBIBYTE = 2 ** 30;

test("reading a document takes a sixth of the memory, and never more than 512 MiB", () => {
	expect(toReadingMemoryMebibytes(GIBIBYTE)).toBe(170);
	expect(toReadingMemoryMebibytes(64 * GIBIBYTE)).toBe(512);
});
