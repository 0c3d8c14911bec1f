import { describe, expect, it } from "vitest";
import { type DocumentReader, ReaderStopped } from "./document-reader";
import { openKnowledgeDatabase, readerHere, startKnowledge } from "./test-support/memory-knowledge";

/** Reads nothing, and never answers. */
const stuck: DocumentReader = { read: () => new Promise(() => undefined), stop: async () => undefined };

const content = "Refunds take 14 days.";

describe("the queue", () => {
	it("goes on after a crash with what was being read", async () => {
		const database = openKnowledgeDatabase();
		const crashed = await startKnowledge(database, stuck);
		const base = await crashed.createKnowledgeBase({ name: "Handbook" });
		const [document] = await crashed.addDocuments(base.id, [{ content, format: "text" }]);
		await expect
			.poll(() => crashed.getDocument(base.id, document?.id ?? ""))
			.toMatchObject({ status: "processing" });
		const knowledge = await startKnowledge(database);
		await knowledge.whenIdle();
		expect(await knowledge.getDocument(base.id, document?.id ?? "")).toMatchObject({ status: "ready" });
	});

	it("gives up a document that was being read whenever the process ended", async () => {
		const database = openKnowledgeDatabase();
		const first = await startKnowledge(database, stuck);
		const base = await first.createKnowledgeBase({ name: "Handbook" });
		const [document] = await first.addDocuments(base.id, [{ content, format: "text" }]);
		for (let crash = 0; crash < 5; crash++) await startKnowledge(database, stuck);
		const knowledge = await startKnowledge(database);
		await knowledge.whenIdle();
		expect(await knowledge.getDocument(base.id, document?.id ?? "")).toMatchObject({
			status: "failed",
			error: { code: "interrupted" },
		});
	});

	it("leaves in the queue what was not read when it is stopped", async () => {
		const database = openKnowledgeDatabase();
		const stopped = await startKnowledge(database, {
			read: async () => {
				throw new ReaderStopped();
			},
			stop: async () => undefined,
		});
		const base = await stopped.createKnowledgeBase({ name: "Handbook" });
		const [document] = await stopped.addDocuments(base.id, [{ content, format: "text" }]);
		await stopped.stop();
		const knowledge = await startKnowledge(database);
		await knowledge.whenIdle();
		expect(await knowledge.getDocument(base.id, document?.id ?? "")).toMatchObject({ status: "ready" });
	});

	it("drops what was read of a document that was replaced or deleted meanwhile", async () => {
		const database = openKnowledgeDatabase();
		const release: (() => void)[] = [];
		const knowledge = await startKnowledge(database, {
			read: async (upload) => {
				await new Promise<void>((resolve) => release.push(resolve));
				return readerHere.read(upload);
			},
			stop: async () => undefined,
		});
		const base = await knowledge.createKnowledgeBase({ name: "Handbook" });
		const [replaced, deleted] = await knowledge.addDocuments(base.id, [
			{ content, format: "text", source: "a" },
			{ content: "Deleted refunds", format: "text", source: "b" },
		]);
		await expect.poll(() => release.length).toBe(1);
		await knowledge.addDocuments(base.id, [{ content: "New words.", format: "text", source: "a" }]);
		await knowledge.deleteDocument(base.id, deleted?.id ?? "");
		const releasing = setInterval(() => release.splice(0).map((resolve) => resolve()), 1);
		await knowledge.whenIdle();
		clearInterval(releasing);
		expect(await knowledge.search({ query: "refunds", knowledge_base_ids: [base.id] })).toEqual([]);
		expect(await knowledge.search({ query: "words", knowledge_base_ids: [base.id] })).toMatchObject([
			{ document_id: replaced?.id },
		]);
		expect((await knowledge.getKnowledgeBase(base.id)).passage_count).toBe(1);
	});
});
