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

const FILE = new URL("../../../../../tools/bench/answers/support-pairs.jsonl", import.meta.url);
const pairs: Pair[] = readFileSync(FILE, "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line));

/** The rules and shares were chosen on this half; the other one is only measured. */
const isChosenOn = ({ id }: Pair): boolean => (createHash("sha256").update(id).digest()[0] ?? 0) % 2 === 0;

const isRight = ({ sentence, passage, supported }: Pair): boolean =>
	(assessSupport(sentence, { text: passage }) !== "weak") === supported;

it.each([
	["that it was chosen on", pairs.filter(isChosenOn), 0.955],
	["that it was not chosen on", pairs.filter((pair) => !isChosenOn(pair)), 0.92],
] as const)("is right about the labelled pairs %s", (_, half, share) => {
	expect(half.length).toBeGreaterThan(130);
	const right = half.filter(isRight).length;
	expect(right / half.length).toBeGreaterThanOrEqual(share);
});
