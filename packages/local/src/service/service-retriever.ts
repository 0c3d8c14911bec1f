import { type SearchRequest, type StemmaClient, search } from "@stemma/client";
import type { ReceiptRow } from "@stemma/core";
import type { RetrievalRequest, Retriever } from "@stemma/engine";
import { readErrorReceipt } from "./error-receipt";

type TextMessage = NonNullable<RetrievalRequest["history"]>[number];

/** Most messages that are sent: what a question refers to is near, and a search takes 100. */
const MAX_MESSAGES = 20;
/** Most characters of the beginning and of the end of a message. */
const MAX_PART_CHARACTERS = 4_000;

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

/** Builds the search request. It includes what decides the run's model where that model may have to rewrite or score. */
function toSearch({
	query,
	history,
	knowledgeBases,
	topK,
	minScore,
	filter,
	choice = {},
	runKnowledgeBases,
}: RetrievalRequest): SearchRequest {
	const request = {
		query,
		knowledge_base_ids: knowledgeBases,
		top_k: topK,
		...(filter === undefined ? {} : { filter }),
	};
	if (minScore === undefined && history === undefined) return request;
	const { provider, model } = choice;
	return {
		...request,
		...(history === undefined ? {} : { history: history.slice(-MAX_MESSAGES).map(shorten) }),
		...(minScore === undefined ? {} : { min_score: minScore }),
		stemma: {
			...(provider === undefined ? {} : { provider }),
			...(model === undefined ? {} : { model }),
			knowledge_base_ids: runKnowledgeBases,
		},
	};
}

/** Beginning and end of a long message, of which a search reads no more. */
const shorten = ({ role, content }: TextMessage): TextMessage =>
	content.length <= 2 * MAX_PART_CHARACTERS
		? { role, content }
		: { role, content: `${content.slice(0, MAX_PART_CHARACTERS)} … ${content.slice(-MAX_PART_CHARACTERS)}` };
