import { describeSkipped, type SkippedFiles, skippedLabel } from "@stemma/documents/folder";
import { sanitizeLine } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import { type KindCounts, OUTCOMES, totalOf } from "./count-kinds";
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
	/** Documents by format, the most frequent first. */
	readonly kinds: readonly KindCounts[];
	readonly ms: number;
}

export interface FailedDocument {
	readonly source: string;
	readonly reason: string;
}

/**
 * `Ingested 75 documents (12 new, 3 changed, 60 unchanged, 0 removed, 0 failed; 1,140 passages) in 1.2 s.`, a line
 * for each kind where there are several, and a line that names what was left out.
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
	return [
		summary,
		...describeKinds(report.kinds),
		...(leftOut.length === 0 ? [] : [`Left out: ${sanitizeLine(describeSkipped(leftOut))}.`]),
	].join("\n");
}

/** `  PDF       19: 12 new, 7 unchanged` */
function describeKinds(kinds: readonly KindCounts[]): string[] {
	if (kinds.length < 2) return [];
	const labelWidth = Math.max(...kinds.map(({ kind }) => kind.length));
	const totals = kinds.map((kind) => format(totalOf(kind)));
	const totalWidth = Math.max(...totals.map(({ length }) => length));
	return kinds.map(({ kind, counts }, index) => {
		const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
			(outcome) => `${format(counts[outcome])} ${outcome}`,
		);
		const total = (totals[index] ?? "").padStart(totalWidth);
		return `  ${kind.padEnd(labelWidth)}  ${total}: ${parts.join(", ")}`;
	});
}

const format = (number: number): string => number.toLocaleString("en-US");

export function toJsonReport(report: IngestReport, knowledgeBaseId: string): object {
	const { leftOut, behindLinks, kinds, ms, ...counts } = report;
	return {
		knowledge_base_id: knowledgeBaseId,
		...counts,
		behind_links: behindLinks,
		left_out: leftOut.reduce((sum, { count }) => sum + count, 0),
		left_out_kinds: Object.fromEntries(leftOut.map((one) => [skippedLabel(one), one.count])),
		kinds: Object.fromEntries(kinds.map(({ kind, counts }) => [kind, counts])),
		ms: Math.round(ms),
	};
}
