import { describe, expect, it } from "vitest";
import type { JobFile } from "../../store/job-file";
import { createKnowledgeRepositories } from "../../store/repositories/knowledge/knowledge-repositories";
import { StorageError } from "../../store/storage-error";
import type { Knowledge, KnowledgeOptions } from "../knowledge";
import {
	inProcessReader,
	openKnowledgeDatabase,
	startKnowledge,
	withPassages,
} from "../test-support/memory-knowledge";
import { type DocumentReader, ReaderStoppedError } from "./reading/document-reader";

/** Never finishes a document. */
const hangingReader: DocumentReader = {
	async read(_, { onStart } = {}) {
		await onStart?.();
		return new Promise(() => undefined);
	},
	stop: async () => undefined,
};

const readAttempts = ({ file }: { readonly file: JobFile }): unknown[] =>
	file
		.prepare("SELECT attempts FROM uploads ORDER BY number")
		.all()
		.map(({ attempts }) => attempts);

const countProcessing = ({ file }: { readonly file: JobFile }): unknown =>
	file.prepare("SELECT count(*) AS count FROM documents WHERE status = 'processing'").get()?.count;

const content = "Refunds take 14 days.";

/** Takes several transactions. */
const LONG_PASSAGES = 900;
const long = Array.from(
	{ length: LONG_PASSAGES },
	(_, index) => `## Part ${index}\n\n${"Refunds and so on. ".repeat(20)}`,
).join("\n\n");

const countRows = ({ file }: { readonly file: JobFile }, table: string): number =>
	Number(file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

/** The disk has room so many times that somebody asks. */
function diskFullAfter(times: number): Pick<KnowledgeOptions, "assertSpace"> {
	let remaining = times;
	return {
		assertSpace() {
			if (remaining-- <= 0)
				throw new StorageError("The disk is full.", { code: "storage_full", hint: "Free some space." });
		},
	};
}

/** One document that was being read when the process ended. */
async function startPoisonCandidate(database: ReturnType<typeof openKnowledgeDatabase>) {
	const crashed = await startKnowledge(database, hangingReader);
	const base = await crashed.createKnowledgeBase({ name: "Handbook" });
	const [document] = await crashed.addDocuments(base.id, [{ content, format: "text" }]);
	await expect.poll(() => countProcessing(database)).toBe(1);
	return {
		getStatus: async (knowledge: Knowledge) =>
			(await knowledge.getDocument(base.id, document?.id ?? "")).status,
	};
}

describe("the queue", () => {
	it("goes on after a crash with what was being read", async () => {
		const database = openKnowledgeDatabase();
		const crashed = await startKnowledge(database, hangingReader);
		const base = await crashed.createKnowledgeBase({ name: "Handbook" });
		const [document] = await crashed.addDocuments(base.id, [{ content, format: "text" }]);
		await expect
			.poll(() => crashed.getDocument(base.id, document?.id ?? ""))
			.toMatchObject({ status: "processing" });
		await createKnowledgeRepositories(database).uploads.recover({ space: null, now: 0 });
		expect(await crashed.getDocument(base.id, document?.id ?? "")).toMatchObject({ status: "queued" });
		const knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		expect(await knowledge.getDocument(base.id, document?.id ?? "")).toMatchObject({ status: "ready" });
	});

	it("shows nothing of a document that is half written, and after a crash begins it anew", async () => {
		const database = openKnowledgeDatabase();
		let writes = 0;
		const repositories = withPassages(database, ({ store }) => ({
			// The first transaction of the long document, and none after it.
			store: (input) => (++writes > 2 ? new Promise(() => undefined) : store(input)),
		}));
		const crashed = await startKnowledge(database, inProcessReader, { repositories });
		const base = await crashed.createKnowledgeBase({ name: "Handbook" });
		await crashed.addDocuments(base.id, [{ content: "Short.", format: "text" }]);
		await crashed.waitUntilIdle();
		await crashed.addDocuments(base.id, [{ content: long, format: "markdown" }]);
		await expect.poll(() => writes).toBe(3);
		const request = { query: "refunds", knowledge_base_ids: [base.id] };
		expect(await crashed.search(request)).toEqual([]);
		await repositories.passages.sweep();
		expect(countRows(database, "passage_sweeps")).toBe(1);

		const knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		expect(await knowledge.search(request)).toHaveLength(8);
		expect(countRows(database, "passages")).toBe(LONG_PASSAGES + 1);
		expect(countRows(database, "passage_sweeps")).toBe(0);
	});

	it("shows the old passages of a replaced document no more, even before they are swept away", async () => {
		const database = openKnowledgeDatabase();
		const repositories = withPassages(database, () => ({ sweep: async () => false }));
		const knowledge = await startKnowledge(database, inProcessReader, { repositories });
		const base = await knowledge.createKnowledgeBase({ name: "Handbook" });
		for (const text of [long, "A refund."]) {
			await knowledge.addDocuments(base.id, [{ content: text, format: "markdown", source: "a" }]);
			await knowledge.waitUntilIdle();
		}
		expect(countRows(database, "passages")).toBe(LONG_PASSAGES + 1);
		const found = await knowledge.search({ query: "refunds", knowledge_base_ids: [base.id], top_k: 100 });
		expect(found.map(({ text }) => text)).toEqual(["A refund."]);
	});

	it("gives up a document that was being read whenever the process ended", async () => {
		const database = openKnowledgeDatabase();
		const first = await startKnowledge(database, hangingReader);
		const base = await first.createKnowledgeBase({ name: "Handbook" });
		const [document] = await first.addDocuments(base.id, [{ content, format: "text" }]);
		await expect.poll(() => countProcessing(database)).toBe(1);
		for (let crash = 1; crash <= 5; crash++) {
			await startKnowledge(database, hangingReader);
			await expect.poll(() => readAttempts(database)).toEqual([crash + 1]);
		}
		const knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		expect(await knowledge.getDocument(base.id, document?.id ?? "")).toMatchObject({
			status: "failed",
			error: { code: "interrupted" },
		});
	});

	it("reads and counts nothing while there is no room, and goes on when there is", async () => {
		const database = openKnowledgeDatabase();
		const { getStatus } = await startPoisonCandidate(database);
		let reads = 0;
		const counting: DocumentReader = {
			...inProcessReader,
			read(...input) {
				reads++;
				return inProcessReader.read(...input);
			},
		};
		const errors: unknown[] = [];
		const full = await startKnowledge(database, counting, {
			...diskFullAfter(0),
			onError: (e) => errors.push(e),
		});
		await expect.poll(() => errors).toMatchObject([{ code: "storage_full" }]);
		expect(reads).toBe(0);
		expect(readAttempts(database)).toEqual([1]);
		expect(countProcessing(database)).toBe(0);
		await full.stop();
		const knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		expect(await getStatus(knowledge)).toBe("ready");
	});

	it("takes an attempt back when storing fails and the process goes on", async () => {
		const database = openKnowledgeDatabase();
		const { getStatus } = await startPoisonCandidate(database);
		for (let round = 1; round <= 6; round++) {
			const errors: unknown[] = [];
			const full = await startKnowledge(database, inProcessReader, {
				...diskFullAfter(1),
				onError: (error) => errors.push(error),
			});
			await expect.poll(() => errors).toMatchObject([{ code: "storage_full" }]);
			expect(readAttempts(database)).toEqual([1]);
			expect(countProcessing(database)).toBe(0);
			await full.stop();
		}
		const knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		expect(await getStatus(knowledge)).toBe("ready");
	});

	it("says nothing of a full disk while nothing waits", async () => {
		const database = openKnowledgeDatabase();
		const errors: unknown[] = [];
		const knowledge = await startKnowledge(database, inProcessReader, {
			...diskFullAfter(0),
			onError: (error) => errors.push(error),
		});
		await knowledge.waitUntilIdle();
		expect(errors).toEqual([]);
	});

	it("counts one attempt of a document that has two turns", async () => {
		const database = openKnowledgeDatabase();
		await startPoisonCandidate(database);
		let turns = 0;
		await startKnowledge(database, {
			...hangingReader,
			async read(_, { onStart } = {}) {
				for (; turns < 2; turns++) await onStart?.();
				return new Promise(() => undefined);
			},
		});
		await expect.poll(() => turns).toBe(2);
		expect(readAttempts(database)).toEqual([2]);
	});

	it("blames no other document for one that ends the process", async () => {
		const database = openKnowledgeDatabase();
		const first = await startKnowledge(database, hangingReader);
		const base = await first.createKnowledgeBase({ name: "Handbook" });
		const uploads = ["One.", "Two.", "Three."].map((text) => ({ content: text, format: "text" as const }));
		const added = await first.addDocuments(base.id, uploads);
		await expect.poll(() => countProcessing(database)).toBe(3);
		for (let crash = 1; crash <= 5; crash++) {
			await startKnowledge(database, hangingReader);
			await expect.poll(() => readAttempts(database)).toEqual([crash + 1, 1, 1]);
		}
		const knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		const documents = await Promise.all(added.map(({ id }) => knowledge.getDocument(base.id, id)));
		expect(documents.map(({ status }) => status)).toEqual(["failed", "ready", "ready"]);
	});

	it("leaves in the queue what was not read when it is stopped", async () => {
		const database = openKnowledgeDatabase();
		const stopped = await startKnowledge(database, {
			read: async () => {
				throw new ReaderStoppedError();
			},
			stop: async () => undefined,
		});
		const base = await stopped.createKnowledgeBase({ name: "Handbook" });
		const [document] = await stopped.addDocuments(base.id, [{ content, format: "text" }]);
		await stopped.stop();
		const knowledge = await startKnowledge(database);
		await knowledge.waitUntilIdle();
		expect(await knowledge.getDocument(base.id, document?.id ?? "")).toMatchObject({ status: "ready" });
	});

	it("drops what was read of a document that was replaced or deleted meanwhile", async () => {
		const database = openKnowledgeDatabase();
		const release: (() => void)[] = [];
		const knowledge = await startKnowledge(database, {
			read: async (upload) => {
				await new Promise<void>((resolve) => release.push(resolve));
				return inProcessReader.read(upload);
			},
			stop: async () => undefined,
		});
		const base = await knowledge.createKnowledgeBase({ name: "Handbook" });
		const [replaced, deleted] = await knowledge.addDocuments(base.id, [
			{ content, format: "text", source: "a" },
			{ content: "Deleted refunds", format: "text", source: "b" },
		]);
		await expect.poll(() => release.length).toBe(2);
		await knowledge.addDocuments(base.id, [{ content: "New words.", format: "text", source: "a" }]);
		await knowledge.deleteDocument(base.id, deleted?.id ?? "");
		const releasing = setInterval(() => release.splice(0).map((resolve) => resolve()), 1);
		await knowledge.waitUntilIdle();
		clearInterval(releasing);
		expect(await knowledge.search({ query: "refunds", knowledge_base_ids: [base.id] })).toEqual([]);
		expect(await knowledge.search({ query: "words", knowledge_base_ids: [base.id] })).toMatchObject([
			{ document_id: replaced?.id },
		]);
		expect((await knowledge.getKnowledgeBase(base.id)).passage_count).toBe(1);
	});
});
