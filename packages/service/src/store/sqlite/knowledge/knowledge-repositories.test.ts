import { createKnowledgeBaseStore } from "../../../knowledge/knowledge-bases";
import { openVectorDatabase } from "../../../knowledge/test-support/memory-knowledge";
import { describeDocumentRepository } from "../../test-support/document-contract";
import { describeKnowledgeBaseRepository } from "../../test-support/knowledge-base-contract";
import type { OpenedKnowledge } from "../../test-support/knowledge-fixture";
import { describePassageRepository } from "../../test-support/passage-contract";
import { describePassageIndex } from "../../test-support/passage-index-contract";
import { describeUploadRepository } from "../../test-support/upload-contract";
import { createKnowledgeRepositories } from "./knowledge-repositories";

function open(): OpenedKnowledge {
	const database = openVectorDatabase();
	const repositories = createKnowledgeRepositories(database);
	const bases = createKnowledgeBaseStore(repositories.knowledgeBases, () => 1, null);
	return {
		repositories,
		addKnowledgeBase: async () => (await bases.createKnowledgeBase({ name: "Handbook" })).id,
		countAudits: async () => (await database.read.selectFrom("audit").select("id").execute()).length,
		close: database.close,
	};
}

describeKnowledgeBaseRepository(open);
describeDocumentRepository(open);
describeUploadRepository(open);
describePassageRepository(open);
describePassageIndex(open);
