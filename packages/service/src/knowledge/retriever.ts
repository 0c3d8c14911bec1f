import type { Retriever } from "@stemma/engine";
import type { Knowledge } from "./knowledge";

/** Knowledge as runs of agents search it. */
export function createKnowledgeRetriever(knowledge: Pick<Knowledge, "search">): Retriever {
	return {
		async retrieve({ query, knowledgeBases, topK }) {
			const passages = await knowledge.search({ query, knowledge_base_ids: knowledgeBases, top_k: topK });
			return { passages };
		},
	};
}
