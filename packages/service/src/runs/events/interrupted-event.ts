import type { WireRunEvent } from "@stemma/client";
import type { ReceiptRow, RunError, RunUsage } from "@stemma/core";
import { createTerminalEvent, type RunEnd } from "@stemma/runs";

/** Error of a run that a crash has cut off and that is not resumed. */
export const INTERRUPTED: RunError = {
	code: "interrupted",
	message: "The service stopped while the run was active.",
	hint: "Start the run again. What it had done so far is in its events and its result.",
};

/** Error of a run that is not resumed once more. */
export const INTERRUPTED_REPEATEDLY: RunError = {
	...INTERRUPTED,
	message: "The service stopped while the run was active, each time that the run was resumed.",
	hint: "Check the service's log for the reason, which may be the run itself, before you start it again.",
};

/** The last event of a run that a crash has cut off: what it had done so far, as its log tells. */
export function toInterruptedEvent(
	runId: string,
	events: readonly WireRunEvent[],
	receipt: readonly ReceiptRow[],
	now: number,
	end: RunEnd = { status: "failed", error: INTERRUPTED },
): WireRunEvent {
	const lastSeq = events.at(-1)?.seq ?? 0;
	const done = { output: joinOutput(events), usage: sumUsage(events, receipt), receipt };
	return createTerminalEvent({ runId, lastSeq, done }, end, now);
}

/** The part of the answer that was sent. */
function joinOutput(events: readonly WireRunEvent[]): string | null {
	let text = "";
	for (const event of events) {
		if (event.type === "text.reset") text = "";
		else if (event.type === "text.delta" && event.final) text += event.text;
	}
	return text === "" ? null : text;
}

function sumUsage(events: readonly WireRunEvent[], receipt: readonly ReceiptRow[]): RunUsage {
	const sum = (read: (row: ReceiptRow) => number): number =>
		receipt.reduce((total, row) => total + read(row), 0);
	return {
		input_tokens: sum((row) => row.input_tokens),
		output_tokens: sum((row) => row.output_tokens),
		model_calls: receipt.length,
		// Retrieval is one step of its node, whatever it calls.
		steps:
			events.filter(({ type }) => type === "node.started").length +
			receipt.filter(({ stage }) => stage === "answer").length,
	};
}
