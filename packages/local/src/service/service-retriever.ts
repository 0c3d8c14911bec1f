import { type SearchRequest, type StemmaClient, search } from "@stemma/client";
import type { ReceiptRow } from "@stemma/core";
import type { RetrievalRequest, Retriever } from "@stemma/engine";
import { readErrorReceipt } from "./error-receipt";

/** Finds passages by the service's search; the rows of its calls name the node that searched. */
export function serviceRetriever(client: StemmaClient, headers: Readonly<Record<string, string>>): Retriever {
	const find = search(client);
	return {
		async retrieve(request, { signal, traceContext }) {
			const options = { signal, headers: { ...headers, ...traceContext } };
			const toRow = (row: ReceiptRow): ReceiptRow => ({ ...row, node: request.node });
			try {
				const { passages, receipt } = await find(toSearch(request), options);
				return { passages, receipt: receipt.map(toRow) };
			} catch (error) {
				const receipt = readErrorReceipt(error)?.map(toRow);
				throw receipt === undefined ? error : Object.assign(Object(error), { receipt });
			}
		},
	};
}

/** Builds the search request. It includes what decides the run's model where that model may have to score. */
function toSearch({
	query,
	knowledgeBases,
	topK,
	minScore,
	choice = {},
	runKnowledgeBases,
}: RetrievalRequest): SearchRequest {
	const request = { query, knowledge_base_ids: knowledgeBases, top_k: topK };
	if (minScore === undefined) return request;
	const { provider, model } = choice;
	return {
		...request,
		min_score: minScore,
		stemma: {
			...(provider === undefined ? {} : { provider }),
			...(model === undefined ? {} : { model }),
			knowledge_base_ids: runKnowledgeBases,
		},
	};
}
