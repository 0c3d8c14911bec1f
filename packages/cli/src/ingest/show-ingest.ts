import { report } from "../terminal/print";
import { createProgressBar, type ProgressBar } from "../terminal/progress-bar";
import { sanitizeLine, type Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import type { FailedDocument, IngestReport } from "./ingest-report";
import type { IngestProgress, IngestStage } from "./ingest-work";
import type { DocumentsBehindLink } from "./keep-behind-links";

/** A progress bar that a stage begins and the next one takes over. */
export interface IngestBar {
	update(progress: IngestProgress): void;
	clear(): void;
}

export function createIngestBar(terminal: Terminal): IngestBar {
	const bars = new Map<IngestStage, ProgressBar>();
	return {
		update({ stage, done, total, label }) {
			const bar = bars.get(stage) ?? createProgressBar(terminal, stage);
			bars.set(stage, bar);
			bar.update(done, total, label);
		},
		clear() {
			for (const bar of bars.values()) bar.clear();
		},
	};
}

/** Writes once to standard error why uploads wait; the others wait for the same. */
export function reportBusyOnce(terminal: Pick<Terminal, "stderr">): (error: Error) => void {
	let isReported = false;
	return ({ message }) => {
		if (isReported) return;
		isReported = true;
		report(terminal, "waiting", `${sanitizeLine(message)} Uploads continue when there is room.`);
	};
}

/** Writes to standard error which documents cannot be found or are not up to date, and why. */
export function reportMissing(
	terminal: Pick<Terminal, "stderr">,
	{
		failed,
		skipped,
		empty,
		kept,
		behindLinks,
	}: Pick<IngestReport, "failed" | "skipped" | "empty" | "kept" | "behindLinks">,
): void {
	reportEmpty(terminal, empty, kept);
	reportBehindLinks(terminal, behindLinks);
	reportUnreadable(terminal, "skipped", skipped);
	reportUnreadable(terminal, "failed", failed);
}

/**
 * A note for each document that holds no text.
 *
 * @param kept - those of them whose stored version stays.
 */
export function reportEmpty(
	terminal: Pick<Terminal, "stderr">,
	empty: readonly string[],
	kept: readonly string[] = [],
): void {
	for (const source of empty) {
		const more = kept.includes(source) ? " Its stored version stays; --prune removes it." : "";
		report(terminal, "note", `${sanitizeLine(source)} holds no text.${more}`);
	}
}

function reportBehindLinks(terminal: Pick<Terminal, "stderr">, links: readonly DocumentsBehindLink[]): void {
	for (const { link, documents } of links)
		report(
			terminal,
			"note",
			`${sanitizeLine(link)} is a symbolic link that was not followed. ${count(documents, "stored document")} from there ${documents === 1 ? "stays" : "stay"}; --follow-links reads what it leads to.`,
		);
}

/** A line for each document that could not be read, whether that is a failure or not. */
export function reportUnreadable(
	terminal: Pick<Terminal, "stderr">,
	label: "skipped" | "failed",
	documents: readonly FailedDocument[],
): void {
	for (const { source, reason } of documents) report(terminal, label, sanitizeLine(`${source}: ${reason}`));
}
