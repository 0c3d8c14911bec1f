import type { SearchResult } from "@stemma/client";
import { z } from "zod";
import { toAnswerError } from "../answering/answer-error";
import { demandAllowedKnowledgeBases } from "../answering/caller-limits";
import { retrieve } from "../answering/retrieve";
import { requireCaller } from "../http/authenticate";
import { readJson } from "../http/read-json";
import type { ServiceApp } from "../http/service-app";
import { createCallMeter } from "../models/caller-meter";
import { collectReceipts } from "../models/collect-receipts";
import { exposureOf } from "../runs/caller-view";

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
		const { knowledge, settings, runs } = context.get("workspace");
		const receipts = collectReceipts(createCallMeter(context, runs.log, { isOwnRun: false }));
		const exposure = exposureOf(context.get("caller"));
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
		).catch((error: unknown) => Promise.reject(toAnswerError(error, { exposure, receipt: receipts.rows })));
		const receipt = exposure === "answer" ? [] : receipts.rows;
		return context.json({ passages, receipt } satisfies SearchResult);
	});
}
