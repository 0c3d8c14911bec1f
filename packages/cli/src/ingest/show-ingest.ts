import { describeLeftOut } from "../terminal/describe-left-out";
import { createProgressBar, type ProgressBar } from "../terminal/progress-bar";
import { style, type Terminal, withoutControls } from "../terminal/terminal";
import type { IngestReport } from "./ingest-report";
import type { IngestProgress, IngestStage } from "./ingest-work";

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

/** Says on standard error what is missing, and why. */
export function reportMissing(
	{ stderr }: Pick<Terminal, "stderr">,
	{ leftOut, failed }: Pick<IngestReport, "leftOut" | "failed">,
): void {
	if (leftOut.length > 0)
		stderr.write(`${style(stderr, "dim", withoutControls(describeLeftOut(leftOut)))}\n`);
	for (const { source, reason } of failed)
		stderr.write(`${style(stderr, "red", "failed:")} ${withoutControls(`${source}: ${reason}`)}\n`);
}
