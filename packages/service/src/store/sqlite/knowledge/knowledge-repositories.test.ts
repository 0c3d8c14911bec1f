import { createKnowledge } from "../../../knowledge/knowledge";
import { inProcessReader, openVectorDatabase } from "../../../knowledge/test-support/memory-knowledge";
import { describeDocumentRepository } from "../../test-support/document-contract";
import type { OpenedKnowledge } from "../../test-support/knowledge-fixture";
import { describePassageRepository } from "../../test-support/passage-contract";
import { describePassageIndex } from "../../test-support/passage-index-contract";
import { describeUploadRepository } from "../../test-support/upload-contract";
import { createKnowledgeRepositories } from "./knowledge-repositories";

function open(): OpenedKnowledge {
	const database = openVectorDatabase();
	const repositories = createKnowledgeRepositories(database);
	const knowledge = createKnowledge({ database, repositories, reader: inProcessReader });
	return {
		repositories,
		addKnowledgeBase: async () => (await knowledge.createKnowledgeBase({ name: "Handbook" })).id,
		close: database.close,
	};
}

describeDocumentRepository(open);
describeUploadRepository(open);
describePassageRepository(open);
describePassageIndex(open);
