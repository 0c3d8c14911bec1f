import { afterEach, expect, it, vi } from "vitest";
import { hashBytes } from "./hash-bytes";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const abc = new TextEncoder().encode("abc");

afterEach(() => vi.unstubAllGlobals());

it("is SHA-256", () => expect(hashBytes(abc)).toBe(ABC));

it.each([{}, { process: {} }, { process: { getBuiltinModule: () => undefined } }])(
	"is the same on a platform with %j alone",
	({ process }) => {
		vi.stubGlobal("process", process);
		expect(hashBytes(abc)).toBe(ABC);
	},
);
