import type { ContentRepository } from "./content-repository";
import type { DocumentRepository } from "./document-repository";
import type { KnowledgeBaseRepository } from "./knowledge-base-repository";
import type { PassageIndex } from "./passage-index";
import type { PassageRepository } from "./passage-repository";
import type { ReindexRepository } from "./reindex-repository";
import type { UploadRepository } from "./upload-repository";

/** Knowledge of one workspace in its store. */
export interface KnowledgeRepositories {
	readonly knowledgeBases: KnowledgeBaseRepository;
	readonly documents: DocumentRepository;
	readonly contents: ContentRepository;
	readonly uploads: UploadRepository;
	readonly passages: PassageRepository;
	readonly reindexes: ReindexRepository;
	readonly index: PassageIndex;
}
