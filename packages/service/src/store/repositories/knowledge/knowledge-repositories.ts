import type { KnowledgeRepositories } from "../../../knowledge/repositories/knowledge-repositories";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { createContentRepository } from "./content-repository";
import { createDocumentRepository } from "./document-repository";
import { createKnowledgeBaseRepository } from "./knowledge-base-repository";
import { createPassageNumbers, type PassageNumbers } from "./passage-numbers";
import { createPassageRepository } from "./passage-repository";
import { createReindexRepository } from "./reindex/reindex-repository";
import { createUploadRepository } from "./upload-repository";

/** Claims and numbers of the knowledge of one workspace. */
export interface SharedKnowledge {
	/** Default: those of a store of one process. */
	readonly claims?: WorkClaims;
	/** Default: counted in memory. */
	readonly numbers?: PassageNumbers;
}

/** Knowledge of a workspace, in its tables. */
export function createKnowledgeRepositories(
	database: Database<WorkspaceTables>,
	{ claims = ownClaims, numbers = createPassageNumbers() }: SharedKnowledge = {},
): KnowledgeRepositories {
	const { readJob } = database;
	return {
		knowledgeBases: createKnowledgeBaseRepository(database),
		documents: createDocumentRepository(database),
		contents: createContentRepository(database),
		uploads: createUploadRepository(database, { claims, numbers }),
		passages: createPassageRepository(database, numbers),
		reindexes: createReindexRepository(database),
		index: {
			search: (input, signal) => readJob("search", input, signal),
			computeCoverage: (input) => readJob("computeCoverage", input),
		},
	};
}
