import { describeSkipped, type SkippedFiles, skippedLabel } from "@stemma/documents/folder";
import { sanitizeLine } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import type { DocumentsBehindLink } from "./keep-behind-links";

/** Result of an ingest. */
export interface IngestReport {
	readonly new: number;
	readonly changed: number;
	readonly unchanged: number;
	readonly removed: number;
	readonly failed: readonly FailedDocument[];
	/** Documents that could not be read and were to be skipped then; none of them is in `failed`. */
	readonly skipped: readonly FailedDocument[];
	/** Documents that hold no text. That is no failure. */
	readonly empty: readonly string[];
	/** Files of `empty` that had text before: their stored documents stay, and can still be found. */
	readonly kept: readonly string[];
	/** Documents that would have been removed, had they not come through links that were not followed. */
	readonly behindLinks: readonly DocumentsBehindLink[];
	/** Number of passages of all documents of the folder that can be searched now. */
	readonly passages: number;
	readonly leftOut: readonly SkippedFiles[];
	readonly ms: number;
}

export interface FailedDocument {
	readonly source: string;
	readonly reason: string;
}

/**
 * `Ingested 75 documents (12 new, 3 changed, 60 unchanged, 0 removed, 0 failed; 1,140 passages) in 1.2 s.`, and a line that
 * names what was left out.
 */
export function describeIngest(report: IngestReport): string {
	const { changed, unchanged, removed, failed, skipped, empty, passages, leftOut, ms } = report;
	const counts = [
		`${format(report.new)} new`,
		`${format(changed)} changed`,
		`${format(unchanged)} unchanged`,
		`${format(removed)} removed`,
		`${format(failed.length)} failed`,
		...(skipped.length > 0 ? [`${format(skipped.length)} skipped`] : []),
		...(empty.length > 0 ? [`${format(empty.length)} empty`] : []),
	].join(", ");
	const documents = count(report.new + changed + unchanged, "document");
	const summary = `Ingested ${documents} (${counts}; ${count(passages, "passage")}) in ${(ms / 1000).toFixed(1)} s.`;
	return leftOut.length === 0 ? summary : `${summary}\nLeft out: ${sanitizeLine(describeSkipped(leftOut))}.`;
}

const format = (number: number): string => number.toLocaleString("en-US");

export function toJsonReport(report: IngestReport, knowledgeBaseId: string): object {
	const { leftOut, behindLinks, ms, ...counts } = report;
	return {
		knowledge_base_id: knowledgeBaseId,
		...counts,
		behind_links: behindLinks,
		left_out: leftOut.reduce((sum, { count }) => sum + count, 0),
		left_out_kinds: Object.fromEntries(leftOut.map((one) => [skippedLabel(one), one.count])),
		ms: Math.round(ms),
	};
}
