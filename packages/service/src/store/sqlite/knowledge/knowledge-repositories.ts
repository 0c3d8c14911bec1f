import type { KnowledgeRepositories } from "../../../knowledge/repositories/knowledge-repositories";
import type { Database } from "../../database";
import { createDocumentRepository } from "./document-repository";
import type { KnowledgeTables } from "./knowledge-tables";
import { createPassageRepository, type PassageNumbers } from "./passage-repository";
import { createUploadRepository } from "./upload-repository";

/** Knowledge in the SQLite file of a workspace. */
export function createKnowledgeRepositories(database: Database<KnowledgeTables>): KnowledgeRepositories {
	const numbers: PassageNumbers = { next: 1 };
	const { readJob } = database;
	return {
		documents: createDocumentRepository(database),
		uploads: createUploadRepository(database, numbers),
		passages: createPassageRepository(database, numbers),
		index: {
			search: (input, signal) => readJob("search", input, signal),
			computeCoverage: (input) => readJob("computeCoverage", input),
		},
	};
}
