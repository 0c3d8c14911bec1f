import { createKnowledgeBaseNames, type KnowledgeBaseNames } from "../knowledge/knowledge-base-names";
import { knowledgeBaseNotFound } from "../knowledge/knowledge-errors";
import type { KnowledgeBaseRepository } from "../knowledge/repositories/knowledge-base-repository";
import type { SourceRepository, SourceState } from "./repositories/source-repository";
import type { SyncRepository } from "./repositories/sync-repository";
import { sourceNotFound } from "./source-errors";
import type { RunningSyncs } from "./sync/running-syncs";

/** Parts that sources and their syncs are managed with. */
export interface SourceParts {
	readonly sources: SourceRepository;
	readonly syncs: SyncRepository;
	readonly knowledgeBases: KnowledgeBaseRepository;
	readonly running: RunningSyncs;
}

/** Lookup of the sources of knowledge bases, which are named by id or slug. */
export interface SourceLookup extends Pick<KnowledgeBaseNames, "withId"> {
	/** @throws DomainError `knowledge_base_not_found`, `source_not_found` */
	get(knowledgeBase: string, id: string): Promise<SourceState>;
}

export function createSourceLookup({ sources, knowledgeBases }: SourceParts): SourceLookup {
	const { withId } = createKnowledgeBaseNames(knowledgeBases);
	return {
		withId,
		async get(knowledgeBase, id) {
			const found = await sources.find(knowledgeBase, id);
			if (found === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBase);
			if (found === undefined) throw sourceNotFound(id);
			return found;
		},
	};
}
