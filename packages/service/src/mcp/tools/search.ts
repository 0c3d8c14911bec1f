import type { FoundPassage } from "@stemma/client";
import { MAX_TOP_K } from "@stemma/core";
import { omitUndefined } from "@stemma/core/internal";
import * as z from "zod";
import { knowledgeBaseIds, selectKnowledgeBases } from "../../answering/retrieval/knowledge-base-selection";
import { searchForCaller } from "../../answering/search-for-caller";
import { toCitableUrl } from "../../knowledge/citable-url";
import { MAX_QUERY_CHARACTERS } from "../../validation/field-limits";
import { foundPassage, passageLimits, receipt, searchedFields } from "../output-schemas";
import { defineTool, type Tool } from "../tool";

/** Finds passages. `results` is what assistants with connectors of their own expect of a tool of this name. */
export const searchTool: Tool = defineTool({
	name: "search",
	title: "Search documents",
	description:
		"Finds passages in the documents of the knowledge bases, best first, each with its text, its document and its place there. " +
		"Use it to look for sources, facts or wording. Write the query as the user would, in the language of the documents: a question or a few telling words. " +
		"`fetch` gives the whole document of a passage; `ask` gives a finished answer with citations instead. No results means that nothing fits: try other words before you give up.",
	scopes: ["ask", "knowledge:read"],
	input: z.strictObject({
		query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS).describe("What to look for."),
		knowledge_base_ids: knowledgeBaseIds.optional(),
		top_k: z.int().min(1).max(MAX_TOP_K).optional().describe("How many passages at the most; default 8."),
		...passageLimits,
	}),
	output: z.looseObject({
		results: z
			.array(
				z.looseObject({
					id: z.string().describe("For fetch."),
					title: z.string(),
					url: z.string().describe("Address of the document; empty if it has none."),
				}),
			)
			.describe("The passages, in the same order, in brief."),
		passages: z.array(foundPassage),
		receipt,
		...searchedFields,
	}),
	async call({ query, knowledge_base_ids, ...limits }, { scope, signal }) {
		const { ids, hasMore } = await selectKnowledgeBases(scope, knowledge_base_ids);
		const request = { query, knowledge_base_ids: ids, ...omitUndefined(limits) };
		const { passages, receipt } = await searchForCaller(scope, request, signal);
		const results = passages.map(toResult);
		const linked = scope.documentLinks.link(passages);
		return { results, passages: linked, receipt, knowledge_base_ids: ids, more_knowledge_bases: hasMore };
	},
});

const toResult = ({ passage_id, title, source }: FoundPassage): object => ({
	id: passage_id,
	title,
	url: toCitableUrl(source),
});
