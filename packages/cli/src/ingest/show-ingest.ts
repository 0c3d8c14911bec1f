import { createProgressBar, type ProgressBar } from "../terminal/progress-bar";
import { sanitizeLine, style, type Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import type { FailedDocument, IngestReport } from "./ingest-report";
import type { IngestProgress, IngestStage } from "./ingest-work";
import type { DocumentsBehindLink } from "./keep-behind-links";

/** A progress bar that a stage begins and the next one takes over. */
export interface IngestBar {
	update(progress: IngestProgress): void;
	/** Wipes the line. */
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
export function reportBusyOnce({ stderr }: Pick<Terminal, "stderr">): (error: Error) => void {
	let isReported = false;
	return ({ message }) => {
		if (isReported) return;
		isReported = true;
		stderr.write(
			`${style(stderr, "yellow", "waiting:")} ${sanitizeLine(message)} Uploads continue when there is room.\n`,
		);
	};
}

/** Writes to standard error which documents cannot be found or are not up to date, and why. */
export function reportMissing(
	{ stderr }: Pick<Terminal, "stderr">,
	report: Pick<IngestReport, "failed" | "skipped" | "empty" | "kept" | "behindLinks">,
): void {
	const { failed, skipped, empty, kept, behindLinks } = report;
	reportEmpty(stderr, empty, kept);
	reportBehindLinks(stderr, behindLinks);
	reportSkipped(stderr, skipped);
	for (const { source, reason } of failed)
		stderr.write(`${style(stderr, "red", "failed:")} ${sanitizeLine(`${source}: ${reason}`)}\n`);
}

/**
 * A note for each document that holds no text.
 *
 * @param kept - those of them whose stored version stays.
 */
export function reportEmpty(
	stderr: Terminal["stderr"],
	empty: readonly string[],
	kept: readonly string[] = [],
): void {
	for (const source of empty) {
		const more = kept.includes(source) ? " Its stored version stays; --prune removes it." : "";
		stderr.write(`${style(stderr, "yellow", "note:")} ${sanitizeLine(source)} holds no text.${more}\n`);
	}
}

function reportBehindLinks(stderr: Terminal["stderr"], links: readonly DocumentsBehindLink[]): void {
	for (const { link, documents } of links)
		stderr.write(
			`${style(stderr, "yellow", "note:")} ${sanitizeLine(link)} is a symbolic link that was not followed. ${count(documents, "stored document")} from there ${documents === 1 ? "stays" : "stay"}; --follow-links reads what it leads to.\n`,
		);
}

/** A line for each document that could not be read and was skipped. */
export function reportSkipped(stderr: Terminal["stderr"], skipped: readonly FailedDocument[]): void {
	for (const { source, reason } of skipped)
		stderr.write(`${style(stderr, "yellow", "skipped:")} ${sanitizeLine(`${source}: ${reason}`)}\n`);
}
