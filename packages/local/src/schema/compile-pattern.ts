import type { StepBudget } from "./budget";
import { type Assertion, type PatternNode, parsePattern } from "./parse-pattern";

/** Instruction of a pattern's program; those that lead on go to the next one but for `jump` and `fork`. */
export type Instruction =
	| { readonly op: "read"; readonly matches: Matcher }
	| { readonly op: "fork"; other: number }
	| { readonly op: "jump"; to: number }
	| { readonly op: "assert"; readonly assertion: Assertion }
	| { readonly op: "lookaround"; readonly program: Program; readonly isNegative: boolean }
	| { readonly op: "accept" };

/** A pattern as a nondeterministic automaton (Thompson's construction). */
export interface Program {
	readonly instructions: readonly Instruction[];
	/** Reads towards the start of the text: of a look behind. */
	readonly isBackward: boolean;
	/** True where the pattern can only match at the start of a text. */
	readonly isAnchored: boolean;
}

/** States of one pattern: `x{1,5000}` takes 15,000. */
export const MAX_PATTERN_STATES = 20_000;

/** Steps to read a property of Unicode, `\p{L}`: there are up to 140,000 characters in it. */
const STEPS_PER_PROPERTY = 2_000;
/** Steps to compile a class, without the properties in it. */
const STEPS_PER_CLASS = 300;

/** Spends what it takes to find out whether a text is a regular expression. */
export const spendPatternCost = (pattern: string, budget: StepBudget): void =>
	budget.spend(pattern.length + STEPS_PER_PROPERTY * (pattern.split(/\\p/i).length - 1));

/**
 * Compiles a regular expression with the flag `u`.
 *
 * @throws Error for what cannot be matched in linear time, and for more than `MAX_PATTERN_STATES`.
 */
export function compilePattern(pattern: string, budget: StepBudget): Program {
	// Its own error for what is no regular expression.
	new RegExp(pattern, "u");
	return compile(parsePattern(pattern), false, {
		remaining: MAX_PATTERN_STATES,
		budget,
		matchers: new Map(),
	});
}

interface CompileState {
	remaining: number;
	readonly budget: StepBudget;
	/** Matchers of the character classes so far, by class: a repetition uses its class several times. */
	readonly matchers: Map<string, Matcher>;
}

/** A program while it is written. */
interface Draft {
	readonly instructions: Instruction[];
	readonly isBackward: boolean;
	readonly state: CompileState;
}

function compile(root: PatternNode, isBackward: boolean, state: CompileState): Program {
	const instructions: Instruction[] = [];
	const draft: Draft = { instructions, isBackward, state };
	write(draft, root);
	add(draft, { op: "accept" });
	const [first] = instructions;
	const isAnchored = first?.op === "assert" && first.assertion === "^";
	return { instructions, isBackward, isAnchored };
}

function countState(state: CompileState): void {
	state.budget.spend(1);
	state.remaining -= 1;
	if (state.remaining < 0) throw new Error(`it has more than ${MAX_PATTERN_STATES} states: lower its counts`);
}

function add<One extends Instruction>({ instructions, state }: Draft, instruction: One): One {
	countState(state);
	instructions.push(instruction);
	return instruction;
}

function write(draft: Draft, node: PatternNode): void {
	const { isBackward, state } = draft;
	// What stands for nothing can be repeated, too.
	countState(state);
	switch (node.kind) {
		case "character":
			add(draft, { op: "read", matches: (character) => character === node.character });
			break;
		case "class":
			add(draft, { op: "read", matches: getMatcher(node.source, state) });
			break;
		case "sequence":
			for (const part of isBackward ? [...node.parts].reverse() : node.parts) write(draft, part);
			break;
		case "choice":
			return writeChoice(draft, node.options);
		case "repeat":
			return writeRepeat(draft, node);
		case "assertion":
			add(draft, { op: "assert", assertion: node.assertion });
			break;
		default: {
			const program = compile(node.part, node.isBehind, state);
			add(draft, { op: "lookaround", program, isNegative: node.isNegative });
		}
	}
}

function writeChoice(draft: Draft, options: readonly PatternNode[]): void {
	const { instructions } = draft;
	const ends = options.map((option, index) => {
		const fork = index < options.length - 1 ? add(draft, { op: "fork", other: 0 }) : undefined;
		write(draft, option);
		const end = add(draft, { op: "jump", to: 0 });
		if (fork !== undefined) fork.other = instructions.length;
		return end;
	});
	for (const end of ends) end.to = instructions.length;
}

function writeRepeat(draft: Draft, { part, min, max }: Extract<PatternNode, { kind: "repeat" }>): void {
	const { instructions } = draft;
	for (let count = 0; count < min; count++) write(draft, part);
	if (max === Number.POSITIVE_INFINITY) {
		const start = instructions.length;
		const fork = add(draft, { op: "fork", other: 0 });
		write(draft, part);
		add(draft, { op: "jump", to: start });
		fork.other = instructions.length;
		return;
	}
	const forks: { other: number }[] = [];
	for (let count = min; count < max; count++) {
		forks.push(add(draft, { op: "fork", other: 0 }));
		write(draft, part);
	}
	for (const fork of forks) fork.other = instructions.length;
}

const ASCII = 128;

/** Tells of one character whether a class has it. */
type Matcher = (character: string) => boolean;

function getMatcher(source: string, { budget, matchers }: CompileState): Matcher {
	const known = matchers.get(source);
	if (known !== undefined) return known;
	budget.spend(STEPS_PER_CLASS);
	// Compiled for each of two widths of characters.
	spendPatternCost(source, budget);
	spendPatternCost(source, budget);
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
