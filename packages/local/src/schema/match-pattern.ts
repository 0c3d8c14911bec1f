import type { StepBudget } from "./budget";
import type { Program } from "./compile-pattern";
import type { Assertion } from "./parse-pattern";

/**
 * Tells whether a pattern matches anywhere in a text, as `RegExp.test` would. All states are followed at once (Pike's
 * simulation): time is at most the length of the text times that of the pattern, and of its parts that look around.
 *
 * @throws StemmaError `schema_too_costly`
 */
export function matchesPattern(program: Program, text: string, budget: StepBudget): boolean {
	return run(program, { text, from: 0, isSearch: !program.isAnchored, budget });
}

interface Search {
	readonly text: string;
	readonly from: number;
	/** The match may begin anywhere behind. */
	readonly isSearch: boolean;
	readonly budget: StepBudget;
}

function run(program: Program, { text, from, isSearch, budget }: Search): boolean {
	const { instructions, isBackward } = program;
	const seen = new Uint32Array(instructions.length);
	const stack: number[] = [];
	let states: number[] = [];
	let round = 0;
	budget.spend(instructions.length >> 5);

	/** Follows everything that reads no character. @returns whether the pattern has matched. */
	function enter(state: number, at: number, into: number[]): boolean {
		stack.push(state);
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			if (seen[next] === round) continue;
			seen[next] = round;
			budget.spend(1);
			const instruction = instructions[next];
			if (instruction === undefined) continue;
			if (instruction.op === "accept") return true;
			if (instruction.op === "read") into.push(next);
			else if (instruction.op === "jump") stack.push(instruction.to);
			else if (instruction.op === "fork") stack.push(instruction.other, next + 1);
			else if (instruction.op === "assert") {
				if (testAssertion(instruction.assertion, text, at)) stack.push(next + 1);
			} else if (
				run(instruction.program, { text, from: at, isSearch: false, budget }) !== instruction.isNegative
			)
				stack.push(next + 1);
		}
		return false;
	}

	for (let at = from; ; ) {
		round += 1;
		const before = states;
		states = [];
		const character = at === from ? "" : readBefore(text, at, isBackward);
		for (const state of before) {
			budget.spend(1);
			const instruction = instructions[state];
			if (instruction?.op === "read" && instruction.matches(character) && enter(state + 1, at, states))
				return true;
		}
		if ((isSearch || at === from) && enter(0, at, states)) return true;
		if (states.length === 0 && !isSearch) return false;
		const next = step(text, at, isBackward);
		if (next === undefined) return false;
		at = next;
	}
}

/** The place behind the next character; undefined at the end of the text. */
function step(text: string, at: number, isBackward: boolean): number | undefined {
	if (isBackward) return at === 0 ? undefined : at - (isPair(text, at - 2) ? 2 : 1);
	return at >= text.length ? undefined : at + (isPair(text, at) ? 2 : 1);
}

/** The character that was just read. */
function readBefore(text: string, at: number, isBackward: boolean): string {
	if (isBackward) return text.slice(at, at + (isPair(text, at) ? 2 : 1));
	return text.slice(at - (isPair(text, at - 2) ? 2 : 1), at);
}

const isPair = (text: string, at: number): boolean =>
	at >= 0 && (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;

function testAssertion(assertion: Assertion, text: string, at: number): boolean {
	if (assertion === "^") return at === 0;
	if (assertion === "$") return at === text.length;
	const isBoundary = isWord(text[at - 1]) !== isWord(text[at]);
	return isBoundary === (assertion === "\\b");
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);
