import { omitUndefined } from "@stemma/core/internal";
import * as z from "zod";
import { answerForCaller, planForCaller } from "../../answering/answer-for-caller";
import type { AskProgress } from "../../answering/ask-request";
import { linkAnswer } from "../../answering/document-links";
import { knowledgeBaseIds, selectKnowledgeBases } from "../../answering/retrieval/knowledge-base-selection";
import { MAX_QUERY_CHARACTERS } from "../../validation/field-limits";
import {
	documentAddress,
	documentUrl,
	foundPassage,
	metadataSchema,
	passageLimits,
	placeSchema,
	receipt,
	searchedFields,
} from "../output-schemas";
import { defineTool, type Tool, type ToolCall } from "../tool";

const citation = z.looseObject({
	n: z.int().describe("The number in the answer: [1]."),
	passage_id: z.string(),
	document_id: z.string(),
	title: z.string(),
	source: z.string().optional().describe("Where the document comes from: a path or an address."),
	url: documentAddress,
	metadata: metadataSchema.optional(),
	place: placeSchema,
	text: z.string(),
	support: z
		.enum(["quoted", "supported", "weak"])
		.describe(
			"Whether the passage has what the answer says: quoted to the letter, supported, or weak: check it.",
		),
	weak_claims: z
		.array(z.string())
		.optional()
		.describe("The parts of the answer that the passage does not support."),
	document_url: documentUrl,
});

/** Answers a question from the documents. */
export const askTool: Tool = defineTool({
	name: "ask",
	title: "Ask the documents",
	description:
		"Answers a question from the documents of the knowledge bases, with numbered citations such as [1] that point to the passages they rest on. " +
		"Use it when the user wants an answer that their documents hold; pass the question on in full, so that it can be understood by itself. " +
		"Each call runs a language model that somebody pays for: do not ask the same question twice; `search` is enough to look something up. " +
		"`refused` means that the documents do not answer the question: say so, and do not guess.",
	scopes: ["ask"],
	annotations: { idempotentHint: false },
	input: z.strictObject({
		question: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS).describe("The question, in any language."),
		knowledge_base_ids: knowledgeBaseIds.optional(),
		top_k: z.int().min(1).max(50).optional().describe("How many passages at the most; default 8."),
		...passageLimits,
	}),
	output: z.looseObject({
		answer: z.string(),
		citations: z.array(citation),
		unknown_citations: z
			.array(z.int())
			.optional()
			.describe("Numbers that the model cited and no passage has; they are not in the answer."),
		passages: z.array(foundPassage).describe("All that the answer was made from, best first."),
		receipt,
		usage: z.looseObject({
			input_tokens: z.int(),
			output_tokens: z.int(),
			model_calls: z.int(),
			steps: z.int(),
		}),
		refused: z.enum(["no_relevant_passages", "no_answer_in_passages"]).optional(),
		warnings: z
			.array(z.enum(["no_citations", "other_language", "instructions_removed"]))
			.optional()
			.describe("What the model did that it was told not to do."),
		...searchedFields,
	}),
	async call({ question, knowledge_base_ids, ...limits }, { scope, signal, reportProgress }) {
		const { ids, hasMore } = await selectKnowledgeBases(scope, knowledge_base_ids);
		reportProgress("Looking for passages.");
		const request = { question, knowledge_base_ids: ids, ...omitUndefined(limits) };
		const plan = await planForCaller(scope, request);
		const answered = await answerForCaller(scope, request, plan, {
			signal,
			onEvent: createReporter(reportProgress),
		});
		return {
			...linkAnswer(answered, scope.documentLinks),
			knowledge_base_ids: ids,
			more_knowledge_bases: hasMore,
		};
	},
});

/** Says how far an answer is, and not more than once a second. */
function createReporter(reportProgress: ToolCall["reportProgress"]): (event: AskProgress) => void {
	let length = 0;
	let reportedAt = performance.now();
	return (event) => {
		if (event.type === "ask.passages") return reportProgress(describeFound(event.passages.length));
		length = event.type === "text.delta" ? length + event.text.length : 0;
		const now = performance.now();
		if (now - reportedAt < 1000) return;
		reportedAt = now;
		reportProgress(`Writing the answer: ${length} characters so far.`);
	};
}

const describeFound = (count: number): string =>
	count === 1 ? "Found 1 passage; answering." : `Found ${count} passages; answering.`;
