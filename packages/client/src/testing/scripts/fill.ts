import type { Citation, ReceiptRow, RunUsage } from "@stemma/core";
import type { FoundPassage } from "../../types/knowledge/search";

/** Tokens of a text, as where nobody counts: about four characters each. */
const countTokens = (text: string): number => Math.ceil(text.length / 4);

export function fillCitation(citation: Partial<Citation>, index: number): Citation {
	const text = citation.text ?? "";
	return {
		n: index + 1,
		passage_id: `psg_${index + 1}`,
		document_id: `doc_${index + 1}`,
		title: `Document ${index + 1}`,
		metadata: {},
		place: { start: 0, end: text.length },
		text,
		support: "supported",
		...citation,
	};
}

export function fillPassage(passage: Partial<FoundPassage>, index: number, idOrSlug = "kb_1"): FoundPassage {
	const text = passage.text ?? "";
	return {
		passage_id: `psg_${index + 1}`,
		document_id: `doc_${index + 1}`,
		knowledge_base_id: idOrSlug.startsWith("kb_") ? idOrSlug : "kb_1",
		knowledge_base: idOrSlug.startsWith("kb_") ? "knowledge-base" : idOrSlug,
		title: `Document ${index + 1}`,
		source: null,
		place: { start: 0, end: text.length },
		text,
		score: 1 / (index + 1),
		metadata: {},
		...passage,
	};
}

/** Adds the address of the document to passages and citations, as a service does for client keys. */
export const withDocumentUrls = <Reference extends { readonly document_id: string }>(
	references: readonly Reference[],
): Reference[] =>
	references.map((reference) => ({
		document_url: `https://stemma.test/v1/documents/${reference.document_id}/file?token=dt_test`,
		...reference,
	}));

/** The row of a model call that nobody made. */
export const fillReceiptRow = (row: Partial<ReceiptRow>): ReceiptRow => ({
	stage: "answer",
	payer: "none",
	provider: "fake",
	vendor_host: "",
	model: "fake",
	input_tokens: 0,
	output_tokens: 0,
	ms: 0,
	attempts: 1,
	reason: "A test: nobody was called.",
	...row,
});

/** Fills in the usage of one model call. */
export const fillUsage = (usage: Partial<RunUsage>, input: string, output: string): RunUsage => ({
	input_tokens: countTokens(input),
	output_tokens: countTokens(output),
	model_calls: 1,
	steps: 2,
	...usage,
});
