import { findFormat } from "@stemma/documents";
import { toExtension } from "./find-documents";

/** DocumentOutcome of one document of a folder. */
export type DocumentOutcome = (typeof OUTCOMES)[number];

/** Outcomes in the order in which they are named. */
export const OUTCOMES = ["new", "changed", "unchanged", "failed", "skipped", "empty"] as const;

/** Number of documents of one kind, such as `PDF`, by their outcome. */
export interface KindCounts {
	readonly kind: string;
	readonly counts: Readonly<Record<DocumentOutcome, number>>;
}

const NO_COUNTS: Readonly<Record<DocumentOutcome, number>> = {
	...{ new: 0, changed: 0, unchanged: 0 },
	...{ failed: 0, skipped: 0, empty: 0 },
};

/**
 * Counts documents by their kind, the most frequent first.
 *
 * @param outcomes - by source. One without a known format, such as a folder that cannot be read, is of no kind.
 * @param extensions - of files that a reader of the service takes; each is a kind.
 */
export function countKinds(
	outcomes: ReadonlyMap<string, DocumentOutcome>,
	extensions: readonly string[] = [],
): KindCounts[] {
	const kinds = new Map<string, Record<DocumentOutcome, number>>();
	for (const [source, outcome] of outcomes) {
		const kind =
			findFormat(source)?.name ?? extensions.find((name) => name === toExtension(source))?.toUpperCase();
		if (kind === undefined) continue;
		const counts = kinds.get(kind) ?? { ...NO_COUNTS };
		counts[outcome]++;
		kinds.set(kind, counts);
	}
	return [...kinds]
		.map(([kind, counts]) => ({ kind, counts }))
		.sort((a, b) => totalOf(b) - totalOf(a) || (a.kind < b.kind ? -1 : 1));
}

export const totalOf = ({ counts }: KindCounts): number =>
	OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
