import type { Citation, Payer, ReceiptRow, RunEvent, RunResult } from "@stemma/core";
import { style, type Terminal, withoutControls } from "./terminal";

/** Writes a run for a person: the answer as it comes in, then its sources and the receipt. */
export interface RunRenderer {
	onEvent(event: RunEvent): void;
	onEnd(result: RunResult): void;
}

/** @param pathOf - the file that a passage is from. */
export function createRunRenderer(
	{ stdout, stderr }: Terminal,
	pathOf: (passageId: string) => string | undefined,
): RunRenderer {
	let written = "";

	function write(text: string): void {
		const clean = withoutControls(text);
		written += clean;
		stdout.write(clean);
	}

	function endLine(): void {
		if (written !== "" && !written.endsWith("\n")) stdout.write("\n");
		written = "";
	}

	return {
		onEvent(event) {
			if (event.type === "text.delta" && event.final) write(event.text);
			else if (event.type === "text.reset") endLine();
			else if (event.type === "node.started" && stderr.isTTY && event.mode !== "start")
				stderr.write(`${style(stderr, "dim", `  · ${event.node} (${event.mode})`)}\n`);
		},
		onEnd(result) {
			if (typeof result.output !== "string" && result.output !== null)
				write(JSON.stringify(result.output, null, 2));
			endLine();
			stdout.write(renderCitations(result.citations, pathOf, stdout));
			stdout.write(renderReceipt(result.receipt, stdout));
		},
	};
}

function renderCitations(
	citations: readonly Citation[],
	pathOf: (passageId: string) => string | undefined,
	stdout: NodeJS.WriteStream,
): string {
	if (citations.length === 0) return "";
	const lines = citations.map(({ n, passage_id, title, place, support }) => {
		const number = style(stdout, "cyan", `[${n}]`);
		const heading = place.heading === undefined ? "" : ` › ${place.heading}`;
		const file = `${pathOf(passage_id) ?? title}`;
		const weak = support === "weak" ? style(stdout, "yellow", " (weak)") : "";
		return `  ${number} ${withoutControls(file)}${style(stdout, "dim", withoutControls(heading))}${weak}\n`;
	});
	return `\n${style(stdout, "bold", "Sources")}\n${lines.join("")}`;
}

const PAYERS: Readonly<Record<Payer, string>> = {
	workspace: "the workspace pays",
	deployment: "the deployment pays",
	none: "free",
	external: "the remote agent pays",
};

function renderReceipt(receipt: readonly ReceiptRow[], stdout: NodeJS.WriteStream): string {
	if (receipt.length === 0) return "";
	const rows = receipt.map(
		({ stage, node = "", model, payer, input_tokens, output_tokens, estimated, ms }) => [
			stage,
			node,
			model,
			`${estimated === true ? "about " : ""}${input_tokens} tokens in, ${output_tokens} out`,
			`${ms} ms`,
			PAYERS[payer],
		],
	);
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	const lines = rows.map(
		(row) =>
			`  ${row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd()}\n`,
	);
	const reasons = [...new Set(receipt.map(({ reason }) => reason))].map(
		(reason) => `  ${style(stdout, "dim", reason)}\n`,
	);
	return `\n${style(stdout, "bold", "Receipt")}\n${lines.join("")}${reasons.join("")}`;
}
