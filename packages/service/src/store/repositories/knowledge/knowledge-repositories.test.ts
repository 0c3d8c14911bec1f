import { createKnowledgeBaseNames } from "../../../knowledge/knowledge-base-names";
import { createKnowledgeBaseStore } from "../../../knowledge/knowledge-bases";
import { openVectorDatabase } from "../../../knowledge/test-support/memory-knowledge";
import { describeContentRepository } from "../../test-support/content-contract";
import { describeDocumentRepository } from "../../test-support/document-contract";
import { describeKnowledgeBaseRepository } from "../../test-support/knowledge-base-contract";
import type { OpenedKnowledge } from "../../test-support/knowledge-fixture";
import { describePassageRepository } from "../../test-support/passage-contract";
import { describePassageIndex } from "../../test-support/passage-index-contract";
import { describeReindexRepository } from "../../test-support/reindex-contract";
import { describeUploadRepository } from "../../test-support/upload-contract";
import { createKnowledgeRepositories } from "./knowledge-repositories";

function open(): OpenedKnowledge {
	const database = openVectorDatabase();
	const repositories = createKnowledgeRepositories(database);
	const repository = repositories.knowledgeBases;
	const names = createKnowledgeBaseNames(repository);
	const bases = createKnowledgeBaseStore({ repository, names, now: () => 1, space: null });
	return {
		repositories,
		addKnowledgeBase: async () => (await bases.createKnowledgeBase({ name: "Handbook" })).id,
		countAudits: async () => (await database.read.selectFrom("audit").select("id").execute()).length,
		close: database.close,
	};
}

describeKnowledgeBaseRepository(open);
describeDocumentRepository(open);
describeContentRepository(open);
describeUploadRepository(open);
describePassageRepository(open);
describePassageIndex(open);
describeReindexRepository(open);
