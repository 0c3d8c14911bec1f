import type { KnowledgeBaseModels } from "@stemma/routing";

/** What knowledge bases say of models: they have no vectors, and choose no model of their own. */
export const toKnowledgeBaseModels = (ids: readonly string[]): KnowledgeBaseModels[] =>
	ids.map((id) => ({ id, embedding: null }));
