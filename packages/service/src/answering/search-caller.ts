import type { SearchResult } from "@stemma/client";
import type { ServiceContext } from "../http/service-app";
import type { ChosenSearch } from "../knowledge/knowledge";
import { createCallerReceipts } from "./caller-receipts";
import { traceRetrieval } from "./trace-retrieval";

/**
 * Finds passages at the cost of the caller, who has been let near these knowledge bases.
 *
 * @throws ApiError as the caller sees it.
 */
export async function searchCaller(
	context: ServiceContext,
	{ query, stemma = {}, ...request }: ChosenSearch,
	signal: AbortSignal,
): Promise<SearchResult> {
	const { knowledge, settings } = context.get("workspace");
	const receipts = createCallerReceipts(context);
	// Before anything is paid for.
	await knowledge.assertKnowledgeBasesExist(request.knowledge_base_ids);
	const { knowledge_base_ids = request.knowledge_base_ids, provider, model } = stemma;
	const { passages } = await traceRetrieval(
		{ ...request, queries: [query], scoring: "wanted" },
		{
			knowledge,
			models: context.get("kernel").models,
			request: {
				// Only a caller that chose a model is told that the choice is wrong.
				choice: provider === undefined && model === undefined ? undefined : { provider, model },
				isClientKey: context.get("caller").kind === "client_key",
				knowledgeBases: await knowledge.listModels(knowledge_base_ids),
				workspace: await settings.open(),
			},
			embedded: await knowledge.listModels(request.knowledge_base_ids),
			meter: receipts.meter,
			signal,
		},
	).catch(receipts.fail);
	await receipts.written();
	return { passages, receipt: receipts.shown() };
}
