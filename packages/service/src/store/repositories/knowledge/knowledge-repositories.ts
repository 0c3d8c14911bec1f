import type { KnowledgeRepositories } from "../../../knowledge/repositories/knowledge-repositories";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { createContentRepository } from "./content-repository";
import { createDocumentRepository } from "./document-repository";
import { createKnowledgeBaseRepository } from "./knowledge-base-repository";
import { createPassageRepository, type PassageNumbers } from "./passage-repository";
import { createReindexRepository } from "./reindex/reindex-repository";
import { createUploadRepository } from "./upload-repository";

/** Knowledge of a workspace, in its tables. */
export function createKnowledgeRepositories(database: Database<WorkspaceTables>): KnowledgeRepositories {
	const numbers: PassageNumbers = { next: 1 };
	const { readJob } = database;
	return {
		knowledgeBases: createKnowledgeBaseRepository(database),
		documents: createDocumentRepository(database),
		contents: createContentRepository(database),
		uploads: createUploadRepository(database, numbers),
		passages: createPassageRepository(database, numbers),
		reindexes: createReindexRepository(database),
		index: {
			search: (input, signal) => readJob("search", input, signal),
			computeCoverage: (input) => readJob("computeCoverage", input),
		},
	};
}
