import type { WireRunEvent } from "@stemma/client";
import type { RunEvent, RunResult } from "@stemma/core";
import { sanitizeLine, style, type Terminal } from "../terminal";
import { createAnswerWriter } from "./answer-writer";
import { renderReceipt } from "./render-receipt";
import { type PathOf, renderSources } from "./render-sources";

/** Writes a run for a person: the answer as it comes in, then its sources and the receipt. */
export interface RunRenderer {
	/** Handles an event of a run in this process, or one in the form of the wire. */
	onEvent(event: RunEvent | WireRunEvent): void;
	onEnd(result: RunResult): void;
}

export function createRunRenderer(terminal: Terminal, pathOf: PathOf): RunRenderer {
	const { stdout, stderr } = terminal;
	const answer = createAnswerWriter(terminal);
	return {
		onEvent(event) {
			if (event.type === "text.delta" && event.final) answer.write(event.text);
			else if (event.type === "text.reset" || event.type === "run.paused") answer.endLine();
			else if (event.type === "node.started" && stderr.isTTY && event.mode !== "start")
				stderr.write(`${style(stderr, "dim", `  · ${sanitizeLine(event.node)} (${event.mode})`)}\n`);
		},
		onEnd({ output, citations, receipt }) {
			if (typeof output !== "string" && output !== null) answer.write(JSON.stringify(output, null, 2));
			answer.endLine();
			stdout.write(renderSources(citations, pathOf, terminal));
			stdout.write(renderReceipt(receipt, terminal));
		},
	};
}
