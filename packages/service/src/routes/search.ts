import type { SearchResult } from "@stemma/client";
import { z } from "zod";
import { demandAllowedKnowledgeBases } from "../answering/caller-limits";
import { createCallerReceipts } from "../answering/caller-receipts";
import { retrieve } from "../answering/retrieve";
import { requireCaller } from "../http/authenticate";
import { readJson } from "../http/read-json";
import type { ServiceApp } from "../http/service-app";

const searchBody = z.strictObject({
	query: z.string().trim().min(1).max(10_000),
	knowledge_base_ids: z.array(z.string()).min(1).max(100),
	top_k: z.number().int().min(1).max(100).exactOptional(),
	min_score: z.number().min(0).max(1).exactOptional(),
	filter: z.record(z.string(), z.json()).exactOptional(),
});

/** `POST /v1/search`. */
export function addSearchRoutes(app: ServiceApp): void {
	const toSearch = requireCaller({ scopes: ["ask", "knowledge:read"], clientKeys: true });
	app.post("/v1/search", toSearch, async (context) => {
		const { query, ...request } = await readJson(context, searchBody);
		demandAllowedKnowledgeBases(context.get("caller"), request.knowledge_base_ids);
		const { knowledge, settings } = context.get("workspace");
		const receipts = createCallerReceipts(context);
		const { passages } = await retrieve(
			{ ...request, queries: [query], scoring: "wanted" },
			{
				knowledge,
				models: context.get("kernel").models,
				request: {
					knowledgeBases: await knowledge.listModels(request.knowledge_base_ids),
					workspace: await settings.open(),
				},
				meter: receipts.meter,
				signal: context.req.raw.signal,
			},
		).catch(receipts.fail);
		await receipts.written();
		return context.json({ passages, receipt: receipts.shown() } satisfies SearchResult);
	});
}
