import { MAX_TOP_K } from "@stemma/core";
import * as z from "zod";
import {
	knowledgeBaseIds,
	resolveKnowledgeBases,
	selectKnowledgeBases,
	toHasMoreField,
} from "../../answering/retrieval/knowledge-base-selection";
import { searchForCaller } from "../../answering/search-for-caller";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { MAX_QUERY_CHARACTERS } from "../../validation/field-limits";
import { historyField } from "./history-field";

/** Fields that Stemma's own callers add. */
const searchContext = z.strictObject({
	provider: z.string().max(200).exactOptional(),
	model: z.string().max(200).exactOptional(),
	knowledge_base_ids: z.array(z.string()).max(1000).exactOptional(),
});

const searchBody = z.strictObject({
	query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS),
	knowledge_base_ids: knowledgeBaseIds.exactOptional(),
	history: historyField.exactOptional(),
	top_k: z.number().int().min(1).max(MAX_TOP_K).exactOptional(),
	min_score: z.number().min(0).max(1).exactOptional(),
	filter: z.record(z.string(), z.json()).exactOptional(),
	stemma: searchContext.exactOptional(),
});

const description = describeRoute({
	summary: "Search knowledge bases",
	body: searchBody,
	responses: { 200: "SearchResult" },
	errors: [
		"knowledge_base_not_found",
		"no_knowledge_bases",
		"min_score_unavailable",
		"embedding_space_changed",
	],
	callsModels: true,
	example: { query: "How long does a refund take?", top_k: 3 },
});

/** `POST /v1/search`. */
export function addSearchRoutes(app: ServiceApp): void {
	const requireSearch = requireCaller({ scopes: ["ask", "knowledge:read"], clientKeys: true });
	app.post("/v1/search", description, requireSearch, async (context) => {
		const request = await readJson(context, searchBody);
		const { knowledge_base_ids, stemma } = request;
		const scope = toScope(context);
		await resolveKnowledgeBases(scope, stemma?.knowledge_base_ids ?? []);
		const choice = await selectKnowledgeBases(scope, knowledge_base_ids);
		const search = { ...request, knowledge_base_ids: choice.ids };
		const found = await searchForCaller(scope, search, context.req.raw.signal);
		const passages = scope.documentLinks.link(found.passages);
		return context.json({ ...found, passages, ...toHasMoreField(choice) });
	});
}
