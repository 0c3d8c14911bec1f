import type { IngestCounts } from "../../telemetry/service-metrics";
import type { PassagesPart, StoredPart } from "../repositories/passage-repository";

/** Counts what the parts of one transaction have stored. */
export function countStored(parts: readonly StoredPart[]): IngestCounts {
	const stored = parts.filter((part) => part.kind === "passages");
	return {
		completed: stored.filter(isLast).length,
		failed: parts.length - stored.length,
		passages: stored.reduce((sum, { passages }) => sum + passages.count, 0),
	};
}

const isLast = ({ first, passages, range }: PassagesPart): boolean =>
	first + passages.count === range.first + range.count;
