import { diffLines } from "diff";

/** Line of one or both of two texts, or the number of lines that are the same and not shown. */
export type ComparedLine =
	| { readonly change: "same" | "added" | "removed"; readonly text: string }
	| { readonly change: "skipped"; readonly count: number };

/** Lines around a change that are shown. */
const CONTEXT_LINES = 3;
/** Time after which a comparison is given up: it is quadratic in the number of changes. */
const MAX_COMPARING_MS = 1_000;

/** Compares two texts line by line. `undefined` where that takes too long. */
export function compareLines(before: string, after: string): readonly ComparedLine[] | undefined {
	const parts = diffLines(before, after, { timeout: MAX_COMPARING_MS });
	return parts?.flatMap(({ value, added, removed }, index): ComparedLine[] => {
		const texts = value.replace(/\n$/, "").split("\n");
		if (added || removed) return texts.map((text) => ({ change: added ? "added" : "removed", text }));
		const atStart = index === 0 ? 0 : CONTEXT_LINES;
		const atEnd = index === parts.length - 1 ? 0 : CONTEXT_LINES;
		const same = texts.map((text): ComparedLine => ({ change: "same", text }));
		const count = texts.length - atStart - atEnd;
		if (count <= 1) return same;
		return [...same.slice(0, atStart), { change: "skipped", count }, ...same.slice(texts.length - atEnd)];
	});
}
