import { type StemmaClient, search } from "@stemma/client";
import type { Retriever } from "@stemma/engine";

/** Finds passages by the service's search. */
export function serviceRetriever(client: StemmaClient, headers: Readonly<Record<string, string>>): Retriever {
	const find = search(client);
	return {
		async retrieve({ query, knowledgeBases, topK, minScore }, { signal }) {
			const { passages, receipt } = await find(
				{
					query,
					knowledge_base_ids: knowledgeBases,
					top_k: topK,
					...(minScore === undefined ? {} : { min_score: minScore }),
				},
				{ signal, headers },
			);
			return { passages, receipt };
		},
	};
}
