import type { StepBudget } from "./budget";
import { type Assertion, type PatternNode, parsePattern } from "./parse-pattern";

/** Instruction of a pattern's program; those that lead on go to the next one but for `jump` and `fork`. */
export type Instruction =
	| { readonly do: "read"; readonly matches: Matcher }
	| { readonly do: "fork"; other: number }
	| { readonly do: "jump"; to: number }
	| { readonly do: "assert"; readonly assertion: Assertion }
	| { readonly do: "look"; readonly program: Program; readonly isNegative: boolean }
	| { readonly do: "accept" };

/** A pattern as a nondeterministic automaton (Thompson's construction). */
export interface Program {
	readonly instructions: readonly Instruction[];
	/** Reads towards the start of the text: of a look behind. */
	readonly isBackward: boolean;
	/** It can only match at the start of a text. */
	readonly isAnchored: boolean;
}

/** States of one pattern: `x{1,5000}` takes 15,000. */
export const MAX_PATTERN_STATES = 20_000;

/** Steps to read a property of Unicode, `\p{L}`: there are up to 140,000 characters in it. */
const STEPS_PER_PROPERTY = 2_000;
/** Steps to compile a class, without the properties in it. */
const STEPS_PER_CLASS = 300;

/** Spends what it takes to find out whether a text is a regular expression. */
export const spendForPattern = (pattern: string, budget: StepBudget): void =>
	budget.spend(pattern.length + STEPS_PER_PROPERTY * (pattern.split(/\\p/i).length - 1));

/**
 * Compiles a regular expression with the flag `u`.
 *
 * @throws Error for what cannot be matched in linear time, and for more than `MAX_PATTERN_STATES`.
 */
export function compilePattern(pattern: string, budget: StepBudget): Program {
	// Its own error for what is no regular expression.
	new RegExp(pattern, "u");
	return compile(parsePattern(pattern), false, { left: MAX_PATTERN_STATES, budget, matchers: new Map() });
}

interface Room {
	left: number;
	readonly budget: StepBudget;
	/** Those of the classes so far: a count repeats its class. */
	readonly matchers: Map<string, Matcher>;
}

function compile(root: PatternNode, isBackward: boolean, room: Room): Program {
	const instructions: Instruction[] = [];

	function use(): void {
		room.budget.spend(1);
		room.left -= 1;
		if (room.left < 0) throw new Error(`it has more than ${MAX_PATTERN_STATES} states: lower its counts`);
	}

	function add<One extends Instruction>(instruction: One): One {
		use();
		instructions.push(instruction);
		return instruction;
	}

	function write(node: PatternNode): void {
		// What stands for nothing can be repeated, too.
		use();
		if (node.kind === "character") add({ do: "read", matches: (character) => character === node.character });
		else if (node.kind === "class") add({ do: "read", matches: getMatcher(node.source, room) });
		else if (node.kind === "sequence") for (const part of order(node.parts)) write(part);
		else if (node.kind === "choice") writeChoice(node.options);
		else if (node.kind === "repeat") writeRepeat(node);
		else if (node.kind === "assertion") add({ do: "assert", assertion: node.assertion });
		else
			add({
				do: "look",
				program: compile(node.part, node.isBehind, room),
				isNegative: node.isNegative,
			});
	}

	const order = (parts: readonly PatternNode[]): readonly PatternNode[] =>
		isBackward ? [...parts].reverse() : parts;

	function writeChoice(options: readonly PatternNode[]): void {
		const ends = options.map((option, index) => {
			const fork = index < options.length - 1 ? add({ do: "fork", other: 0 }) : undefined;
			write(option);
			const end = add({ do: "jump", to: 0 });
			if (fork !== undefined) fork.other = instructions.length;
			return end;
		});
		for (const end of ends) end.to = instructions.length;
	}

	function writeRepeat({ part, min, max }: Extract<PatternNode, { kind: "repeat" }>): void {
		for (let count = 0; count < min; count++) write(part);
		if (max === Number.POSITIVE_INFINITY) {
			const start = instructions.length;
			const fork = add({ do: "fork", other: 0 });
			write(part);
			add({ do: "jump", to: start });
			fork.other = instructions.length;
			return;
		}
		const forks: { other: number }[] = [];
		for (let count = min; count < max; count++) {
			forks.push(add({ do: "fork", other: 0 }));
			write(part);
		}
		for (const fork of forks) fork.other = instructions.length;
	}

	write(root);
	add({ do: "accept" });
	const [first] = instructions;
	const isAnchored = first?.do === "assert" && first.assertion === "^";
	return { instructions, isBackward, isAnchored };
}

const ASCII = 128;

/** Tells of one character whether a class has it. */
type Matcher = (character: string) => boolean;

function getMatcher(source: string, { budget, matchers }: Room): Matcher {
	const known = matchers.get(source);
	if (known !== undefined) return known;
	budget.spend(STEPS_PER_CLASS);
	// Compiled for each of two widths of characters.
	spendForPattern(source, budget);
	spendForPattern(source, budget);
	const matcher = toMatcher(source);
	matchers.set(source, matcher);
	return matcher;
}

/** A regular expression of one character cannot backtrack. */
function toMatcher(source: string): Matcher {
	const expression = new RegExp(`^${source}$`, "u");
	const known: (boolean | undefined)[] = [];
	return (character) => {
		const code = character.charCodeAt(0);
		if (code >= ASCII) return expression.test(character);
		known[code] ??= expression.test(character);
		return known[code];
	};
}
