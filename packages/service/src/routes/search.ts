import { z } from "zod";
import { demandAllowedKnowledgeBases } from "../answering/caller-limits";
import { chooseKnowledgeBases, knowledgeBaseIds, toChoiceNote } from "../answering/knowledge-base-choice";
import { searchCaller } from "../answering/search-caller";
import { requireCaller } from "../http/authenticate";
import { MAX_QUERY_CHARACTERS } from "../http/field-limits";
import { readJson } from "../http/read-json";
import type { ServiceApp } from "../http/service-app";

const MAX_TOP_K = 100;

/** What Stemma's own callers add. */
const searchContext = z.strictObject({
	provider: z.string().max(200).exactOptional(),
	model: z.string().max(200).exactOptional(),
	knowledge_base_ids: z.array(z.string()).max(1000).exactOptional(),
});

const searchBody = z.strictObject({
	query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS),
	knowledge_base_ids: knowledgeBaseIds.exactOptional(),
	top_k: z.number().int().min(1).max(MAX_TOP_K).exactOptional(),
	min_score: z.number().min(0).max(1).exactOptional(),
	filter: z.record(z.string(), z.json()).exactOptional(),
	stemma: searchContext.exactOptional(),
});

/** `POST /v1/search`. */
export function addSearchRoutes(app: ServiceApp): void {
	const toSearch = requireCaller({ scopes: ["ask", "knowledge:read"], clientKeys: true });
	app.post("/v1/search", toSearch, async (context) => {
		const request = await readJson(context, searchBody);
		const { knowledge_base_ids, stemma } = request;
		demandAllowedKnowledgeBases(context.get("caller"), stemma?.knowledge_base_ids ?? []);
		const choice = await chooseKnowledgeBases(context, knowledge_base_ids);
		const search = { ...request, knowledge_base_ids: choice.ids };
		const found = await searchCaller(context, search, context.req.raw.signal);
		return context.json({ ...found, ...toChoiceNote(choice) });
	});
}
