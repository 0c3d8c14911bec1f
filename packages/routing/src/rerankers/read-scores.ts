/** A score as it came: of which text, and how much. */
export interface ScoreEntry {
	readonly index: unknown;
	readonly score: unknown;
}

/** Scores in the order of their texts, whatever order they came in; undefined unless there is one for each text. */
export function readScores(entries: readonly ScoreEntry[], count: number): readonly number[] | undefined {
	const scores = new Map<number, number>();
	for (const { index, score } of entries) {
		if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count)
			return undefined;
		if (typeof score !== "number" || !Number.isFinite(score) || scores.has(index)) return undefined;
		scores.set(index, score);
	}
	if (scores.size !== count) return undefined;
	return [...scores].sort(([a], [b]) => a - b).map(([, score]) => score);
}
