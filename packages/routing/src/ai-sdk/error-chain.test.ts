import { expect, it } from "vitest";
import { toErrorChain } from "./error-chain";

const error = (name: string, rest: object = {}): Error => Object.assign(new Error("x"), { name, ...rest });
const namesOf = (start: unknown): unknown[] => toErrorChain(start).map(({ name }) => name);

it("is an error, its last try with what caused that, its own cause, and its other tries", () => {
	const last = error("last", { cause: error("its cause") });
	const errors = [error("first"), error("second"), last];
	const start = error("start", { lastError: last, cause: error("own cause"), errors });
	expect(namesOf(start)).toEqual(["start", "last", "its cause", "own cause", "second", "first"]);
});

it.each([undefined, null, "words", [error("listed")]])("is empty for what is no object: %s", (start) => {
	expect(toErrorChain(start)).toEqual([]);
});

it("ends where errors lie in each other, or are too many", () => {
	const start = error("start");
	start.cause = error("cause", { cause: start, errors: [start] });
	expect(namesOf(start)).toEqual(["start", "cause"]);
	const errors = Array.from({ length: 200_000 }, () => ({ name: "try" }));
	expect(toErrorChain(error("start", { errors }))).toHaveLength(20);
});
