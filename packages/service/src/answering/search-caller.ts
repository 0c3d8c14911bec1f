import type { SearchRequest, SearchResult } from "@stemma/client";
import type { ServiceContext } from "../http/service-app";
import { createCallerReceipts } from "./caller-receipts";
import { retrieve } from "./retrieve";

/**
 * Finds passages at the cost of the caller, who has been let near these knowledge bases.
 *
 * @throws ApiError as the caller sees it.
 */
export async function searchCaller(
	context: ServiceContext,
	{ query, ...request }: SearchRequest,
	signal: AbortSignal,
): Promise<SearchResult> {
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
			signal,
		},
	).catch(receipts.fail);
	await receipts.written();
	return { passages, receipt: receipts.shown() };
}
