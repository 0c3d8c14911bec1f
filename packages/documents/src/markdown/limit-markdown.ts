import type { Code, Construct, Extension, TokenizeContext } from "micromark-util-types";
import { nestingError } from "../unreadable-error";

/** Marks of one paragraph that can be emphasis or links; those after them are text. Finding their pairs is quadratic. */
const MAX_MARKS = 1_000;
/** Marks at the start of one line that can begin quotations and lists. Each level is tried twice. */
const MAX_CONTAINER_MARKS = 200;

const toCodes = (characters: string): number[] => [...characters].map((character) => character.charCodeAt(0));

const MARKS = toCodes("*_~[]!");
const CONTAINER_MARKS = toCodes(">*+-0123456789[");

/** Extension of micromark that bounds what one paragraph, and one line, can cost. Errors are an `UnreadableError`. */
export const limitMarkdown = (): Extension => ({
	text: toConstructs(MARKS, createMarkLimit()),
	document: toConstructs(CONTAINER_MARKS, createNestingLimit()),
});

/** Constructs that are tried before those that a character has anyway. */
const toConstructs = (codes: readonly number[], construct: Construct): Record<number, Construct> =>
	Object.fromEntries(codes.map((code) => [code, { ...construct, add: "before" }]));

function createMarkLimit(): Construct {
	const counts = new WeakMap<TokenizeContext, number>();
	return {
		tokenize(effects, ok, nok) {
			const count = (counts.get(this) ?? 0) + 1;
			counts.set(this, count);
			if (count <= MAX_MARKS) return nok;
			return (code: Code) => {
				effects.enter("data");
				effects.consume(code);
				effects.exit("data");
				return ok;
			};
		},
	};
}

function createNestingLimit(): Construct {
	const lines = new WeakMap<TokenizeContext, { line: number; count: number }>();
	return {
		tokenize(_, __, nok) {
			const { line } = this.now();
			const known = lines.get(this);
			const count = known?.line === line ? known.count + 1 : 1;
			lines.set(this, { line, count });
			if (count > MAX_CONTAINER_MARKS) throw nestingError("quotations and lists");
			return nok;
		},
	};
}
