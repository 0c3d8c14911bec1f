/** Vendors count in 32 bits, and may miss 0 and 1 by a hair. */
const ROUNDING = 1e-3;

/**
 * Scores from 0 to 1. Where any of them lies outside, they are what the model gives out raw (logits, as llama.cpp
 * passes on), and all of them go through the logistic function, which keeps their order.
 */
export function toUnitScores(scores: readonly number[]): readonly number[] {
	const isRaw = scores.some((score) => score < -ROUNDING || score > 1 + ROUNDING);
	return scores.map(isRaw ? toProbability : clamp);
}

const toProbability = (logit: number): number => 1 / (1 + Math.exp(-logit));
const clamp = (score: number): number => Math.min(1, Math.max(0, score));
