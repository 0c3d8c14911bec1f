import { createKnowledgeBaseNames } from "../../../knowledge/knowledge-base-names";
import { createKnowledgeBaseStore } from "../../../knowledge/knowledge-bases";
import { createKnowledgeRepositories } from "../../repositories/knowledge/knowledge-repositories";
import { createWorkspaceStore } from "../../repositories/workspace-store";
import { describeContentRepository } from "../../test-support/content-contract";
import { describeDocumentRepository } from "../../test-support/document-contract";
import { describeKnowledgeBaseRepository } from "../../test-support/knowledge-base-contract";
import type { OpenedKnowledge } from "../../test-support/knowledge-fixture";
import { describePassageRepository } from "../../test-support/passage-contract";
import { describePassageIndex } from "../../test-support/passage-index-contract";
import { describePushRepository } from "../../test-support/push-contract";
import { describeReindexRepository } from "../../test-support/reindex-contract";
import { describeSourceRepositories } from "../../test-support/source-contract";
import { describeUploadRepository } from "../../test-support/upload-contract";
import { describeOnPostgres, type TestDatabase } from "../test-support/describe-on-postgres";

function openKnowledge({ openWorkspace }: TestDatabase): OpenedKnowledge {
	const database = openWorkspace();
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

describeOnPostgres("the repositories of knowledge", (database) => {
	const open = () => openKnowledge(database);
	describeKnowledgeBaseRepository(open);
	describeDocumentRepository(open);
	describeContentRepository(open);
	describeUploadRepository(open);
});

describeOnPostgres(
	"the repositories of passages",
	(database) => {
		const open = () => openKnowledge(database);
		describePassageRepository(open);
		describePassageIndex(open);
		describeReindexRepository(open);
	},
	{ needsVectors: true },
);

describeOnPostgres("the repositories of sources", (database) => {
	const open = () => createWorkspaceStore(database.openWorkspace());
	describeSourceRepositories(open);
	describePushRepository(open);
});
