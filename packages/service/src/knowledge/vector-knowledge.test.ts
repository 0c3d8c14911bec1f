import type { KnowledgeBase } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKnowledgeRepositories } from "../store/repositories/knowledge/knowledge-repositories";
import type { PassageEmbedder } from "./embeddings/passage-embedder";
import { encodePassages } from "./ingest/encoded-passages";
import type { DocumentUploadInput } from "./ingest/new-document";
import type { Knowledge } from "./knowledge";
import type { SearchQuery } from "./repositories/passage-index";
import type { PassageVectors } from "./repositories/passage-repository";
import { createHashedEmbedder, hashedSpace, toHashedVector } from "./test-support/hashed-embedder";
import {
	inProcessReader,
	openVectorDatabase,
	startKnowledge,
	type VectorDatabase,
	withPassages,
} from "./test-support/memory-knowledge";

let database: VectorDatabase;
beforeEach(() => {
	database = openVectorDatabase();
});
afterEach(() => database.close());

/** A service that is started with these embeddings; the one before has ended. */
const start = (embedder?: PassageEmbedder): Promise<Knowledge> =>
	startKnowledge(database, inProcessReader, { embedder });

async function add(
	knowledge: Knowledge,
	{ id }: KnowledgeBase,
	...uploads: readonly (string | (Partial<DocumentUploadInput> & { content: string }))[]
) {
	const added = await knowledge.addDocuments(
		id,
		uploads.map((upload) => ({
			format: "text",
			...(typeof upload === "string" ? { content: upload } : upload),
		})),
	);
	await knowledge.waitUntilIdle();
	return added;
}

const DIMENSIONS = 256;
const toQuery = (text: string, { dimensions = DIMENSIONS, space = hashedSpace } = {}): SearchQuery => ({
	text,
	vector: { space, values: toHashedVector(text, dimensions) },
});

async function findTexts(
	knowledge: Knowledge,
	bases: readonly KnowledgeBase[],
	query: SearchQuery,
	options: { filter?: Record<string, string>; top_k?: number } = {},
) {
	const request = { query: query.text, knowledge_base_ids: bases.map(({ id }) => id), ...options };
	return (await knowledge.search(request, [query])).map(({ text }) => text);
}

const countRows = (table: string): number =>
	Number(database.file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

const countVectors = (): readonly number[] => [countRows("passage_vectors"), countRows("passage_codes")];

const noise = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `Topic ${index} of something else.`);

describe("search by words and vectors", () => {
	it("finds what shares no word with the question, which words alone do not", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		await add(knowledge, base, "A refund of every kind.", "Cars are sold.", ...noise(30));
		expect(await findTexts(knowledge, [base], { text: "reimbursement" })).toEqual([]);
		const found = await findTexts(knowledge, [base], toQuery("reimbursement"), { top_k: 1 });
		expect(found).toEqual(["A refund of every kind."]);
	});

	it("puts first what both find, and adds their scores", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		const both = "Refund of a car.";
		await add(knowledge, base, both, "The reimbursement of an automobile.", "A car, a car.", ...noise(30));
		const request = { query: "refund car", knowledge_base_ids: [base.id] };
		const found = await knowledge.search(request, [toQuery("refund car")]);
		expect(found[0]).toMatchObject({ text: both });
		expect(found[0]?.score).toBeGreaterThan(0.5);
		expect(found[0]?.score).toBeLessThanOrEqual(1);
		expect(found.map(({ score }) => score)).toEqual(
			found.map(({ score }) => score).sort((one, other) => other - one),
		);
	});

	it("fuses several queries, with or without vectors", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		await add(knowledge, base, "Returns take 14 days.", "Cars are sold.", "Bricks weigh a lot.");
		const request = { query: "not looked for: bricks", knowledge_base_ids: [base.id], top_k: 2 };
		const found = await knowledge.search(request, [{ text: "returns" }, { text: "cars" }]);
		expect(found.map(({ text }) => text).sort()).toEqual(["Cars are sold.", "Returns take 14 days."]);
		const mixed = await knowledge.search(request, [{ text: "returns" }, toQuery("automobile")]);
		expect(mixed.map(({ text }) => text).sort()).toEqual(["Cars are sold.", "Returns take 14 days."]);
	});

	it("finds by the title and the heading of a passage", async () => {
		const embedder = createHashedEmbedder();
		const knowledge = await start(embedder);
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		const content = "# Money\n\n## Refunds\n\nFourteen days.";
		await add(knowledge, base, { content, format: "markdown" }, { content, title: "Given", source: "s" });
		expect(embedder.calls.flat().sort()).toEqual([
			expect.stringMatching(/^Given\n/),
			"Money\nRefunds\n\nFourteen days.",
		]);
		const found = await findTexts(knowledge, [base], toQuery("reimbursement"), { top_k: 1 });
		expect(found).toEqual(["Fourteen days."]);
	});

	it("searches knowledge bases of other spaces, or without vectors, by their words", async () => {
		const words = await start();
		const plain = await words.createKnowledgeBase({ name: "Plain" });
		await add(words, plain, "A refund, plain.");
		await words.stop();
		const former = { ...hashedSpace, model: "former" };
		const second = await start(createHashedEmbedder(64, { space: former }));
		const old = await second.createKnowledgeBase({ name: "Old" });
		await add(second, old, "A refund, old.");
		await second.stop();
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "New" });
		await add(knowledge, base, "A refund, new.", "Cars.");
		const all = [plain, old, base];
		expect((await findTexts(knowledge, all, toQuery("refund"))).sort()).toEqual([
			"A refund, new.",
			"A refund, old.",
			"A refund, plain.",
			"Cars.",
		]);
		expect(await findTexts(knowledge, all, toQuery("reimbursement"), { top_k: 1 })).toEqual([
			"A refund, new.",
		]);
		const asBefore = toQuery("reimbursement", { dimensions: 64, space: former });
		expect(await findTexts(knowledge, all, asBefore)).toEqual(["A refund, old."]);
		// Of the right name and another length: by its words.
		const short = toQuery("reimbursement", { dimensions: 8 });
		expect(await findTexts(knowledge, all, short)).toEqual([]);
		expect(countVectors()).toEqual([3, 3]);
	});

	it("gives nothing of other knowledge bases, nor of documents with other metadata", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Mine" });
		const other = await knowledge.createKnowledgeBase({ name: "Theirs" });
		const both = ["A refund.", "Many words around a refund, and some more of them."].map((content) => ({
			content,
			metadata: { lang: "en" },
		}));
		await add(knowledge, other, ...both, { content: "Refund", metadata: { lang: "de" } });
		await add(knowledge, base, { content: "Cars", metadata: { lang: "de" } }, ...noise(3));
		expect(await findTexts(knowledge, [base], toQuery("reimbursement"), { top_k: 100 })).toHaveLength(4);
		const filter = { lang: "de" };
		expect(await findTexts(knowledge, [base], toQuery("reimbursement"), { filter })).toEqual(["Cars"]);
		expect((await findTexts(knowledge, [base, other], toQuery("refund"), { filter })).sort()).toEqual([
			"Cars",
			"Refund",
		]);
		expect(await findTexts(knowledge, [base], toQuery("refund"), { filter: { lang: "fr" } })).toEqual([]);
	});

	it("finds the one document with the metadata, however many others are nearer", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		await add(knowledge, base, ...Array.from({ length: 1_200 }, (_, index) => `Refund ${index}`));
		await add(knowledge, base, { content: "Cars and a refund at the end", metadata: { lang: "de" } });
		const found = await findTexts(knowledge, [base], toQuery("reimbursement"), { filter: { lang: "de" } });
		expect(found).toEqual(["Cars and a refund at the end"]);
	});
});

describe("vectors", () => {
	it("go with their passages: replaced, deleted, or with their knowledge base", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		const [first] = await add(knowledge, base, { content: "Refund", source: "a" }, "Cars", "Bricks");
		await add(knowledge, base, { content: "New", source: "a" });
		expect(countVectors()).toEqual([3, 3]);
		expect(await findTexts(knowledge, [base], toQuery("reimbursement"))).not.toContain("Refund");
		await knowledge.deleteDocument(base.id, first?.id ?? "");
		await knowledge.waitUntilIdle();
		expect(countVectors()).toEqual([2, 2]);
		await knowledge.deleteKnowledgeBase(base.id);
		await knowledge.waitUntilIdle();
		expect(countVectors()).toEqual([0, 0]);
	});

	it("of passages that are not swept away yet are not found, also when they are all that is near", async () => {
		const isDeleted = { now: true };
		const knowledge = await startKnowledge(database, inProcessReader, {
			embedder: createHashedEmbedder(),
			repositories: withPassages(database, ({ sweep }) => ({
				sweep: () => (isDeleted.now ? sweep() : Promise.resolve(false)),
			})),
		});
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		isDeleted.now = false;
		const refunds = Array.from({ length: 700 }, (_, index) => ({
			content: `Refund ${index}`,
			source: `${index}`,
		}));
		await add(knowledge, base, ...refunds);
		await add(knowledge, base, ...refunds.map(({ source }) => ({ content: `Car ${source}`, source })));
		expect(countVectors()).toEqual([1_400, 1_400]);
		const found = await findTexts(knowledge, [base], toQuery("reimbursement"), { top_k: 5 });
		expect(found).toHaveLength(5);
		expect(found.every((text) => text.startsWith("Car"))).toBe(true);
	});

	it("are kept without harm where a text has none, or huge numbers", async () => {
		const embedder: PassageEmbedder = {
			space: hashedSpace,
			embed: async (texts) =>
				texts.map((text) =>
					Float32Array.of(...(text.includes("Zero") ? [0, 0] : text.includes("Huge") ? [3e38, 1] : [0, 1])),
				),
		};
		const knowledge = await start(embedder);
		const base = await knowledge.createKnowledgeBase({ name: "Odd" });
		await add(knowledge, base, "Zero", "Huge", "Usual");
		const near = (...values: number[]) =>
			findTexts(knowledge, [base], {
				text: "?",
				vector: { space: hashedSpace, values: Float32Array.of(...values) },
			});
		expect(await near(1e38, 0)).toEqual(["Huge", "Usual"]);
		expect(await near(0, 0)).toEqual([]);
	});
});

describe("the space of a knowledge base", () => {
	const read = async (knowledge: Knowledge, { id }: KnowledgeBase) => ({
		models: (await knowledge.listKnowledgeBaseModels([id]))[0]?.embedding,
		shown: (await knowledge.getKnowledgeBase(id)).embedding,
	});

	it("is pinned by its first passages", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		expect(base.embedding).toBeNull();
		expect(await read(knowledge, base)).toEqual({ models: undefined, shown: null });
		await add(knowledge, base, "A refund.");
		expect(await read(knowledge, base)).toEqual({
			models: hashedSpace,
			shown: { model: "hashed", dimensions: DIMENSIONS, in_use: true },
		});
		expect(await knowledge.listKnowledgeBaseModels(["kb_none"])).toEqual([
			{ id: "kb_none", embedding: null },
		]);
		await expect(knowledge.getKnowledgeBaseModels([base.id, "kb_none"])).rejects.toMatchObject({
			code: "knowledge_base_not_found",
		});
	});

	const changes: readonly (readonly [string, EmbeddingSpace | undefined])[] = [
		["another model", { ...hashedSpace, model: "other" }],
		["the same model elsewhere", { ...hashedSpace, base_url: "https://other.example/v1" }],
		["another length", { ...hashedSpace, dimensions: 64 }],
		["no model", undefined],
	];
	it.each(changes)(
		"refuses documents when there is %s, and goes on to be searched by words",
		async (_, space) => {
			const before = await start(createHashedEmbedder());
			const base = await before.createKnowledgeBase({ name: "Shop" });
			await add(before, base, "A refund.");
			await before.stop();
			const embedder = space && createHashedEmbedder(64, { space });
			const knowledge = await start(embedder);
			const refused = expect(add(knowledge, base, "Another refund.")).rejects;
			await refused.toMatchObject({
				code: "embedding_space_changed",
				message: expect.stringContaining("hashed at vectors.example (256 dimensions)"),
				hint: expect.stringMatching(/stemma kb reindex/),
				details: {
					pinned: { model: "hashed", vendor_host: "vectors.example", dimensions: DIMENSIONS },
					configured: space === undefined ? null : { model: space.model },
				},
			});
			if (space !== undefined) await expect(add(knowledge, base, "x")).rejects.toThrow(space.model);
			expect((await read(knowledge, base)).models).toEqual(hashedSpace);
			expect(await findTexts(knowledge, [base], { text: "refund" })).toEqual(["A refund."]);
			expect(embedder?.calls ?? []).toEqual([]);
		},
	);

	it("is the same when the length that its vectors have is configured as well", async () => {
		const before = await start(createHashedEmbedder());
		const base = await before.createKnowledgeBase({ name: "Shop" });
		await add(before, base, "A refund.");
		await before.stop();
		const space = { ...hashedSpace, base_url: `${hashedSpace.base_url}/`, dimensions: DIMENSIONS };
		const knowledge = await start(createHashedEmbedder(DIMENSIONS, { space }));
		await add(knowledge, base, "A car.");
		expect((await read(knowledge, base)).models).toEqual(space);
		const found = await findTexts(knowledge, [base], toQuery("reimbursement", { space }), { top_k: 1 });
		expect(found).toEqual(["A refund."]);
	});

	it("is none when the first documents were indexed without vectors", async () => {
		const before = await start();
		const base = await before.createKnowledgeBase({ name: "Shop" });
		await add(before, base, "A refund.");
		await before.stop();
		const embedder = createHashedEmbedder();
		const knowledge = await start(embedder);
		await add(knowledge, base, "Another refund.");
		expect(await read(knowledge, base)).toEqual({ models: null, shown: null });
		expect(embedder.calls).toEqual([]);
		expect(await findTexts(knowledge, [base], toQuery("refund"))).toHaveLength(2);
		expect(countVectors()).toEqual([0, 0]);
	});

	it("is free again once all documents are deleted", async () => {
		const before = await start(createHashedEmbedder());
		const base = await before.createKnowledgeBase({ name: "Shop" });
		const [first] = await add(before, base, "A refund.");
		await before.stop();
		const space = { ...hashedSpace, model: "other" };
		const knowledge = await start(createHashedEmbedder(64, { space }));
		await knowledge.deleteDocument(base.id, first?.id ?? "");
		expect(await read(knowledge, base)).toEqual({ models: undefined, shown: null });
		await add(knowledge, base, "A car.");
		expect((await read(knowledge, base)).shown).toEqual({ model: "other", dimensions: 64, in_use: true });
		const query = toQuery("automobile", { dimensions: 64, space });
		expect(await findTexts(knowledge, [base], query)).toEqual(["A car."]);
	});

	it("is not mixed when it is pinned anew before the old vectors are swept away", async () => {
		const startUnswept = (embedder: PassageEmbedder) =>
			startKnowledge(database, inProcessReader, {
				embedder,
				repositories: withPassages(database, () => ({ sweep: async () => false })),
			});
		const before = await startUnswept(createHashedEmbedder(250));
		const base = await before.createKnowledgeBase({ name: "Shop" });
		const [first] = await add(before, base, "A refund.");
		await before.stop();
		for (const dimensions of [255, 64]) {
			const space = { ...hashedSpace, model: `m${dimensions}` };
			const knowledge = await startUnswept(createHashedEmbedder(dimensions, { space }));
			for (const { id } of await knowledge.listDocuments(base.id, { limit: 10 }))
				await knowledge.deleteDocument(base.id, id);
			await add(knowledge, base, `A car ${dimensions}.`);
			expect(first).toBeDefined();
			const query = toQuery("reimbursement", { dimensions, space });
			expect(await findTexts(knowledge, [base], query)).toEqual([`A car ${dimensions}.`]);
			await knowledge.stop();
		}
		expect(countVectors()).toEqual([3, 3]);
	});

	/** As the queue does it: a document of one passage, from an upload that is waiting. */
	async function storeSinglePart(content: string, vectors?: PassageVectors): Promise<unknown> {
		const upload = database.file
			.prepare<{ readonly number: number }>("SELECT max(number) AS number FROM uploads")
			.get()?.number;
		const encoded = encodePassages([{ place: { start: 0, end: content.length }, text: content }]);
		const parts = [...encoded].map((passages) => ({
			kind: "passages" as const,
			upload: upload ?? 0,
			title: "T",
			range: { first: 100, count: 1 },
			first: 100,
			passages,
			...(vectors && { vectors }),
		}));
		const { passages: repository } = createKnowledgeRepositories(database);
		return repository.store({ parts, now: 0 });
	}

	/** Puts the first document into the queue again, behind the back of whoever reads it. */
	const queue = (withVectors: number) =>
		database.file
			.prepare("INSERT INTO uploads (document, with_vectors) SELECT number, ? FROM documents")
			.run(withVectors);

	it("takes in again with vectors what came without, when it has got some meanwhile", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		await add(knowledge, base, "A refund.");
		await knowledge.stop();
		queue(0);
		const before = database.file.prepare("SELECT number FROM uploads").get()?.number;
		expect(await storeSinglePart("A refund.")).toBe(true);
		expect(database.file.prepare("SELECT number, with_vectors FROM uploads").all()).toEqual([
			{ number: Number(before) + 1, with_vectors: 1 },
		]);
		expect(countVectors()).toEqual([1, 1]);
	});

	it("takes in without vectors what came with some, when it has been indexed without meanwhile", async () => {
		const knowledge = await start();
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		await add(knowledge, base, "A refund.");
		await knowledge.stop();
		queue(1);
		const vectors = { space: hashedSpace, values: [Float32Array.of(1)] };
		expect(await storeSinglePart("A car.", vectors)).toBe(false);
		expect(countVectors()).toEqual([0, 0]);
		expect(await findTexts(knowledge, [base], { text: "car" })).toEqual(["A car."]);
	});

	it("refuses vectors of another space, whoever made them", async () => {
		const knowledge = await start(createHashedEmbedder());
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		const [added] = await add(knowledge, base, "A refund.");
		await knowledge.stop();
		queue(1);
		const values = [new Float32Array(DIMENSIONS).fill(1)];
		await storeSinglePart("A car.", { space: { ...hashedSpace, model: "other" }, values });
		expect(await knowledge.getDocument(base.id, added?.id ?? "")).toMatchObject({
			status: "failed",
			error: { code: "embedding_space_changed" },
			passage_count: 1,
		});
		expect(countVectors()).toEqual([1, 1]);
	});

	it("is not free as long as a document is half written, though no other is left", async () => {
		let writes = 0;
		const knowledge = await startKnowledge(database, inProcessReader, {
			embedder: createHashedEmbedder(),
			repositories: withPassages(database, ({ store }) => ({
				store: (input) => (++writes > 2 ? new Promise(() => undefined) : store(input)),
			})),
		});
		const base = await knowledge.createKnowledgeBase({ name: "Shop" });
		const [first] = await add(knowledge, base, "A refund.");
		const content = Array.from(
			{ length: 400 },
			(_, part) => `## ${part}\n\n${"And so on. ".repeat(20)}`,
		).join("\n\n");
		const [half] = await knowledge.addDocuments(base.id, [{ content, format: "markdown" }]);
		await expect.poll(() => writes).toBe(3);
		await knowledge.deleteDocument(base.id, first?.id ?? "");
		expect((await read(knowledge, base)).models).toEqual(hashedSpace);
		await knowledge.deleteDocument(base.id, half?.id ?? "");
		expect((await read(knowledge, base)).models).toBeUndefined();
	});
});
