import type { LeftOut } from "@stemma/service/documents";
import { count } from "../terminal/count";

/** What an ingest has done. */
export interface IngestReport {
	readonly new: number;
	readonly changed: number;
	readonly unchanged: number;
	readonly removed: number;
	readonly failed: readonly FailedDocument[];
	/** Of all documents of the folder that can be searched now. */
	readonly passages: number;
	readonly leftOut: readonly LeftOut[];
	readonly ms: number;
}

/** A document that cannot be read, here or in the service. */
export interface FailedDocument {
	readonly source: string;
	readonly reason: string;
}

/** `Ingested 75 documents (12 new, 3 changed, 60 unchanged, 0 removed, 0 failed; 1,140 passages) in 1.2 s.` */
export function describeIngest(report: IngestReport): string {
	const { changed, unchanged, removed, failed, passages, ms } = report;
	const figures = [
		`${format(report.new)} new`,
		`${format(changed)} changed`,
		`${format(unchanged)} unchanged`,
		`${format(removed)} removed`,
		`${format(failed.length)} failed`,
	].join(", ");
	const documents = count(report.new + changed + unchanged, "document");
	return `Ingested ${documents} (${figures}; ${count(passages, "passage")}) in ${(ms / 1000).toFixed(1)} s.`;
}

const format = (number: number): string => number.toLocaleString("en-US");

/** The same for programs. */
export function toJsonReport(report: IngestReport, knowledgeBaseId: string): object {
	const { leftOut, ms, ...figures } = report;
	return {
		knowledge_base_id: knowledgeBaseId,
		...figures,
		left_out: leftOut.reduce((sum, { count }) => sum + count, 0),
		ms: Math.round(ms),
	};
}
