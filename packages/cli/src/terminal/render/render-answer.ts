import type { Answer, AskEvent } from "@stemma/client";
import { report } from "../print";
import type { Terminal } from "../terminal";
import { createAnswerWriter } from "./answer-writer";
import { renderReceipt } from "./render-receipt";
import { renderSources } from "./render-sources";

/** Writes an answer of the service for a person: the text as it comes in, then its sources and the receipt. */
export interface AnswerRenderer {
	onEvent(event: AskEvent): void;
	onEnd(answer: Answer): void;
	/** Ends an answer that broke off: text after it begins on a line of its own. */
	onInterrupted(): void;
}

export function createAnswerRenderer(terminal: Terminal): AnswerRenderer {
	const { stdout } = terminal;
	const text = createAnswerWriter(terminal);
	let isWritten = false;
	return {
		onEvent(event) {
			if (event.type === "text.reset") text.endLine();
			if (event.type !== "text.delta") return;
			isWritten = true;
			text.write(event.text);
		},
		onEnd({ answer, citations, passages, receipt, refused, warnings = [] }) {
			// What was not streamed is written now.
			if (!isWritten) text.write(answer);
			text.endLine();
			const sources = new Map(
				passages.map(({ passage_id, knowledge_base, source, title }) => [
					passage_id,
					`${knowledge_base}: ${source ?? title}`,
				]),
			);
			stdout.write(renderSources(citations, ({ passage_id }) => sources.get(passage_id), terminal));
			stdout.write(renderReceipt(receipt, terminal));
			if (refused !== undefined) report(terminal, "note", REFUSALS[refused]);
			for (const warning of warnings) report(terminal, "note", WARNINGS[warning]);
		},
		onInterrupted: text.endLine,
	};
}

const REFUSALS: Readonly<Record<NonNullable<Answer["refused"]>, string>> = {
	no_relevant_passages: "No passage fits the question, so no model was asked to answer.",
	no_answer_in_passages: "The model found no answer in the passages.",
};

const WARNINGS: Readonly<Record<NonNullable<Answer["warnings"]>[number], string>> = {
	no_citations: "The model cited no passage: check the answer yourself.",
	other_language: "The model did not answer in the language of the question.",
	instructions_removed: "The model repeated its instructions, which are left out.",
};
