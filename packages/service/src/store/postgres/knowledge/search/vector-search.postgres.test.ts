import { expect, it } from "vitest";
import {
	createHashedEmbedder,
	hashedSpace,
	toHashedVector,
} from "../../../../knowledge/test-support/hashed-embedder";
import {
	inProcessReader,
	openVectorDatabase,
	startKnowledge,
} from "../../../../knowledge/test-support/memory-knowledge";
import type { Database } from "../../../database";
import type { WorkspaceTables } from "../../../workspace-tables";
import { describeOnPostgres } from "../../test-support/describe-on-postgres";

const DIMENSIONS = 64;
const TOPICS = ["refund", "invoice", "office", "password", "car", "wheel", "garden", "river"];
const TEXTS = Array.from(
	{ length: 60 },
	(_, index) => `Note ${index} about ${TOPICS[index % 8]} and ${TOPICS[(index * 3 + 1) % 8]}.`,
);
/** Digits behind the point in which scores agree: both compute with 32 bits. */
const DIGITS = 5;

async function open(database: Database<WorkspaceTables>) {
	const knowledge = await startKnowledge(database, inProcessReader, {
		embedder: createHashedEmbedder(DIMENSIONS),
	});
	const { id } = await knowledge.createKnowledgeBase({ name: "Notes" });
	const documents = TEXTS.map((content, index) => ({
		...{ content, format: "text" as const, metadata: { even: index % 2 === 0 } },
	}));
	await knowledge.addDocuments(id, documents);
	await knowledge.waitUntilIdle();
	return async (text: string, filter?: { readonly even: boolean }) => {
		const vector = { space: hashedSpace, values: toHashedVector(text, DIMENSIONS) };
		const request = { query: text, knowledge_base_ids: [id], top_k: 10, ...(filter && { filter }) };
		return knowledge.search(request, [{ text, vector }]);
	};
}

describeOnPostgres(
	"search by vectors",
	({ openWorkspace }) => {
		it("finds what SQLite finds, with the same scores", async () => {
			const sqlite = await open(openVectorDatabase());
			const postgres = await open(openWorkspace());
			for (const query of ["reimbursement", "automobile of the office", "river garden", "note 7"])
				for (const filter of [undefined, { even: true }]) {
					const expected = await sqlite(query, filter);
					const found = await postgres(query, filter);
					expect(found.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
					for (const [index, { score }] of expected.entries())
						expect(found[index]?.score).toBeCloseTo(score, DIGITS);
				}
		});
	},
	{ needsVectors: true },
);
