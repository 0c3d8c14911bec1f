import type { SearchResult } from "@stemma/client";
import type { ResolvedSearchRequest } from "../knowledge/knowledge";
import { toModelRequest } from "../models/model-request";
import type { RequestScope } from "../request-scope";
import type { TextMessage } from "./ask-request";
import { createCallerReceipts } from "./caller-receipts";
import { planSearch } from "./queries/question-plan";
import { createQuestionQueries } from "./queries/question-queries";
import type { RetrievedPassages } from "./retrieval/retrieve";
import { retrieveTraced } from "./retrieval/retrieve-traced";

/** A search whose knowledge bases are chosen, with the messages before the query, oldest first. */
export interface SearchWithHistory extends ResolvedSearchRequest {
	readonly history?: readonly TextMessage[];
}

/**
 * Finds passages at the cost of the caller, who has been let near these knowledge bases.
 *
 * @throws DomainError as the caller sees it.
 */
export async function searchForCaller(
	scope: RequestScope,
	{ query, history, stemma = {}, ...request }: SearchWithHistory,
	signal: AbortSignal,
): Promise<SearchResult> {
	const { knowledge } = scope.workspace;
	const receipts = createCallerReceipts(scope);
	// Before anything is paid for.
	const searchedKnowledgeBases = await knowledge.getKnowledgeBaseModels(request.knowledge_base_ids);
	const { knowledge_base_ids = searchedKnowledgeBases, provider, model } = stemma;
	const { models } = scope.kernel;
	// Only a caller that chose a model is told that the choice is wrong.
	const choice = provider === undefined && model === undefined ? undefined : { provider, model };
	const modelRequest = await toModelRequest(scope, knowledge_base_ids, choice);
	async function search(): Promise<RetrievedPassages> {
		const plan = planSearch(models, modelRequest, { ...request, history, searchedKnowledgeBases });
		const options = { knowledge, models, plan, meter: receipts.meter, signal };
		const queries = await createQuestionQueries({ question: query, history }, options);
		return retrieveTraced({ ...request, ...queries }, options);
	}
	const { passages } = await search().catch(receipts.rejectForCaller);
	await receipts.waitUntilWritten();
	return { passages, receipt: receipts.visibleRows() };
}
