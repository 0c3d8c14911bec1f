import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { assessSupport } from "./assess-support";

interface Pair {
	readonly id: string;
	readonly passage: string;
	readonly sentence: string;
	readonly supported: boolean;
}

const readPairs = (file: string): Pair[] =>
	readFileSync(new URL(`../../../../../tools/bench/answers/${file}`, import.meta.url), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

const pairs = readPairs("support-pairs.jsonl");
/** Sentences about a handbook, labelled before the rules for units, limits, days and names were written. */
const handbook = readPairs("handbook-support-pairs.jsonl");

/** The rules and shares were chosen on this half; the other one is only measured. */
const isChosenOn = ({ id }: Pair): boolean => (createHash("sha256").update(id).digest()[0] ?? 0) % 2 === 0;

const isRight = ({ sentence, passage, supported }: Pair): boolean =>
	(assessSupport(sentence, { text: passage }) !== "weak") === supported;

it.each([
	["that it was chosen on", pairs.filter(isChosenOn), 0.97],
	["that it was not chosen on", pairs.filter((pair) => !isChosenOn(pair)), 0.96],
	["of a handbook that it was chosen on", handbook.filter(isChosenOn), 0.97],
	["of a handbook that it was not chosen on", handbook.filter((pair) => !isChosenOn(pair)), 0.8],
] as const)("is right about the labelled pairs %s", (_, half, share) => {
	expect(half.length).toBeGreaterThan(30);
	const right = half.filter(isRight).length;
	expect(right / half.length).toBeGreaterThanOrEqual(share);
});
