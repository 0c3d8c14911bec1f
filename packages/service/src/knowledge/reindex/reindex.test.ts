import type { Reindex } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../errors/domain-error";
import type { Database } from "../../store/database";
import type { WorkspaceTables } from "../../store/workspace-tables";
import type { EmbeddingPlan } from "../embeddings/passage-embedder";
import type { Knowledge } from "../knowledge";
import { createHashedEmbedder, hashedSpace, toHashedVector } from "../test-support/hashed-embedder";
import {
	inProcessReader,
	openVectorDatabase,
	startKnowledge,
	type VectorDatabase,
} from "../test-support/memory-knowledge";

const author = { actor: "cl_1" };
const newSpace: EmbeddingSpace = { base_url: "https://vectors.example/v1", model: "newer" };
const NEW_LENGTH = 4096;
const SENTENCES = Array.from({ length: 150 }, (_, number) => `Rule ${number} is about topic${number}.`);

let database: VectorDatabase;
let knowledge: Knowledge | undefined;
let base: string;

beforeEach(() => {
	database = openVectorDatabase();
});
afterEach(async () => {
	await knowledge?.stop();
	database.close();
});

type Embedder = ReturnType<typeof createHashedEmbedder> & { plan?: () => Promise<EmbeddingPlan> };

/** Opens the workspace as a process with this embedding model does. */
async function open(embedder?: Embedder, now?: () => number): Promise<Knowledge> {
	await knowledge?.stop();
	const opened: Database<WorkspaceTables> = database;
	knowledge = await startKnowledge(opened, inProcessReader, {
		...(embedder && { embedder }),
		...(now && { now }),
		rereadsOutdated: false,
	});
	return knowledge;
}

const oldModel = (options = {}): Embedder => createHashedEmbedder(256, options);
const newModel = (options = {}): Embedder =>
	createHashedEmbedder(NEW_LENGTH, { space: newSpace, ...options });

async function add(opened: Knowledge, texts: readonly string[], source = "rules"): Promise<void> {
	const content = new TextEncoder().encode(texts.map((text) => `## ${text}\n\n${text}`).join("\n\n"));
	await opened.addDocuments(base, [{ source, title: "Rules", format: "markdown", content }]);
	await opened.waitUntilIdle();
}

async function fill(embedder?: Embedder): Promise<Knowledge> {
	const opened = await open(embedder);
	base = (await opened.createKnowledgeBase({ name: "Rules" })).id;
	await add(opened, SENTENCES);
	return opened;
}

const count = (table: string): number =>
	Number(database.file.database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

/** Best passage by its vector alone. */
async function findByVector(opened: Knowledge, text: string, space: EmbeddingSpace, length: number) {
	const query = { text: "???", vector: { space, values: toHashedVector(text, length) } };
	const passages = await opened.search({ query: "???", knowledge_base_ids: [base], top_k: 1 }, [query]);
	return passages[0]?.text;
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
	work.then(
		() => "none",
		(error) => error.code,
	);
const getAudit = (): unknown[] =>
	database.file.database.prepare("SELECT action, actor FROM audit ORDER BY id").all();

describe("a knowledge base that moves to another embedding model", () => {
	it("plans, moves, answers with the new vectors, and keeps the former ones for an undo", async () => {
		await fill(oldModel());
		const opened = await open(newModel());
		const plan = await opened.planReindex(base, {});
		expect(plan).toMatchObject({
			status: "planned",
			from: { model: "hashed", dimensions: 256 },
			to: { model: "newer", vendor_host: "vectors.example" },
			passages: { total: 150, done: 0, skipped: 0 },
			payer: "none",
			plan: { passages: 150 },
		});
		expect(await opened.getReindex(base)).toMatchObject({ status: "idle" });
		expect(await opened.startReindex(base, {}, author)).toMatchObject({ status: "running" });
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({
			status: "completed",
			from: { model: "newer", dimensions: NEW_LENGTH },
			to: { model: "hashed", dimensions: 256 },
			passages: { total: 150, done: 150, skipped: 0 },
		});
		expect(await opened.getKnowledgeBase(base)).toMatchObject({
			embedding: { model: "newer", dimensions: NEW_LENGTH },
		});
		expect(await findByVector(opened, SENTENCES[77] ?? "", newSpace, NEW_LENGTH)).toContain("topic77");
		expect([count("passage_codes"), count("passage_codes_2")]).toEqual([150, 150]);
		expect(await codeOf(opened.startReindex(base, {}, author))).toBe("reindex_not_needed");
		expect(await codeOf(opened.startReindex(base, { undo: true }, author))).toBe("embeddings_not_configured");

		const embedder = oldModel();
		const former = await open(embedder);
		expect(await former.planReindex(base, { undo: true })).toMatchObject({ plan: { passages: 0 } });
		await former.startReindex(base, { undo: true }, author);
		await former.waitUntilIdle();
		expect(embedder.calls).toEqual([]);
		expect(await findByVector(former, SENTENCES[77] ?? "", hashedSpace, 256)).toContain("topic77");
		expect(getAudit()).toEqual(
			["started", "completed", "started", "completed"].map((name) => ({
				action: `knowledge_base.reindex_${name}`,
				actor: "cl_1",
			})),
		);
	});

	it("is searched by its words meanwhile, takes documents, and gives them the new vectors", async () => {
		await fill(oldModel());
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		const opened = await open(newModel({ onCall: () => held }));
		expect(await codeOf(add(opened, ["Refused"], "early"))).toBe("embedding_space_changed");
		await opened.startReindex(base, {}, author);
		const content = new TextEncoder().encode("The lighthouse closes at dusk.");
		await opened.addDocuments(base, [{ source: "late", title: "Late", format: "text", content }]);
		const find = async () =>
			(await opened.search({ query: "lighthouse dusk", knowledge_base_ids: [base], top_k: 1 }))[0]?.text;
		await vi.waitFor(async () => expect(await find()).toContain("lighthouse"));
		expect(await opened.getReindex(base)).toMatchObject({
			status: "running",
			passages: { total: 151, done: 0 },
		});
		release();
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({ status: "completed" });
		expect(await findByVector(opened, "Late lighthouse closes dusk", newSpace, NEW_LENGTH)).toContain(
			"lighthouse",
		);
		await add(opened, ["After the move."], "after");
		expect(count("passage_codes_2")).toBe(152);
	});

	it("continues after the process has ended, without paying twice", async () => {
		await fill(oldModel());
		const stuck = newModel({
			onCall: (_: unknown, call: number) => (call > 1 ? new Promise(() => undefined) : undefined),
		});
		const opened = await open(stuck);
		await opened.startReindex(base, {}, author);
		await vi.waitFor(() => expect(stuck.calls.length).toBe(2));
		expect((await opened.getReindex(base)).passages.done).toBe(64);
		// The abandoned call is never answered, as in a process that is killed.
		knowledge = undefined;
		const embedder = newModel();
		const next = await open(embedder);
		await next.waitUntilIdle();
		expect(await next.getReindex(base)).toMatchObject({ status: "completed" });
		expect(embedder.calls.flat().length).toBe(150 - 64);
	});
});

describe("a move that is refused or interrupted", () => {
	it("pauses with the reason where the vendor refuses, and continues once it does not", async () => {
		await fill(oldModel());
		let isFailing = true;
		const onCall = () => {
			if (isFailing) throw new DomainError("invalid_credential", "The key is not valid.");
		};
		const opened = await open(newModel({ onCall }));
		await opened.startReindex(base, {}, author);
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({
			status: "paused",
			error: { code: "invalid_credential", message: "The key is not valid." },
		});
		isFailing = false;
		opened.retryEmbedding();
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({ status: "completed", error: null });
	});

	it("pauses where somebody else would pay, until it is started again", async () => {
		await fill(oldModel());
		let payer: EmbeddingPlan["payer"] = "deployment";
		const onCall = (_: unknown, call: number) => {
			if (call === 1) payer = "workspace";
		};
		const embedder = { ...newModel({ onCall }), plan: async () => ({ payer, reason: "Because." }) };
		const opened = await open(embedder);
		expect(await codeOf(opened.startReindex(base, { payer: "workspace" }, author))).toBe("payer_changed");
		await opened.startReindex(base, { payer: "deployment" }, author);
		await opened.waitUntilIdle();
		const paused = await opened.getReindex(base);
		expect(paused).toMatchObject({ status: "paused", error: { code: "payer_changed" }, payer: "deployment" });
		expect(paused.passages.done).toBe(64);
		expect(embedder.calls.length).toBe(1);
		await opened.startReindex(base, {}, author);
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({ status: "completed", payer: "workspace" });
	});

	it("leaves a passage that the model refuses to its words", async () => {
		await fill(oldModel());
		const onCall = (texts: readonly string[]) => {
			if (texts.some((text) => text.includes("topic70.")))
				throw new DomainError("content_filtered", "This text is refused.");
		};
		const opened = await open(newModel({ onCall }));
		await opened.startReindex(base, {}, author);
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({
			status: "completed",
			passages: { total: 150, done: 150, skipped: 1 },
		});
	});

	it("pauses where the model refuses all", async () => {
		await fill(oldModel());
		const embedder = newModel({
			onCall: () => {
				throw new DomainError("bad_request", "No such parameter.");
			},
		});
		const opened = await open(embedder);
		await opened.startReindex(base, {}, author);
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({ status: "paused", error: { code: "bad_request" } });
		expect(embedder.calls.length).toBe(5);
	});

	it("is cancelled: nothing of the new vectors stays, and the former ones answer", async () => {
		await fill(oldModel());
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		const embedder = newModel({ onCall: (_: unknown, call: number) => (call > 1 ? held : undefined) });
		const opened = await open(embedder);
		await opened.startReindex(base, {}, author);
		await vi.waitFor(() => expect(embedder.calls.length).toBe(2));
		expect(await opened.dropReindex(base, author)).toMatchObject({ status: "dropping" });
		release();
		await opened.waitUntilIdle();
		expect(await opened.getReindex(base)).toMatchObject({ status: "idle" });
		expect([count("passage_codes"), count("passage_codes_2"), count("passage_vectors_2")]).toEqual([
			150, 0, 0,
		]);
		expect(await findByVector(opened, SENTENCES[7] ?? "", hashedSpace, 256)).toContain("topic7");
	});
});

describe("moves to and from words alone", () => {
	it("gives vectors to a knowledge base without any", async () => {
		await fill();
		const opened = await open(newModel());
		await opened.startReindex(base, { to: "newer" }, author);
		await opened.waitUntilIdle();
		expect(await findByVector(opened, SENTENCES[3] ?? "", newSpace, NEW_LENGTH)).toContain("topic3");
		await opened.startReindex(base, { undo: true }, author);
		await opened.waitUntilIdle();
		expect(await opened.getKnowledgeBase(base)).toMatchObject({ embedding: null });
	});

	it("leaves vectors at once, and drops them after a week", async () => {
		const opened = await fill(oldModel());
		expect(await codeOf(opened.startReindex(base, { to: "other" }, author))).toBe(
			"embeddings_not_configured",
		);
		await opened.startReindex(base, { to: "none" }, author);
		await opened.waitUntilIdle();
		const moved: Reindex = await opened.getReindex(base);
		expect(moved).toMatchObject({ status: "completed", from: null, to: { model: "hashed" } });
		expect(await findByVector(opened, SENTENCES[3] ?? "", hashedSpace, 256)).toBeUndefined();
		expect(count("passage_codes")).toBe(150);
		const later = await open(oldModel(), () => Date.parse(moved.undo_until ?? "") + 1);
		await later.waitUntilIdle();
		expect([count("passage_codes"), count("passage_vectors"), count("reindexes")]).toEqual([0, 0, 0]);
		expect(await codeOf(later.startReindex(base, { undo: true }, author))).toBe("nothing_to_undo");
	});

	it("leaves nothing behind where the knowledge base is deleted", async () => {
		await fill(oldModel());
		const opened = await open(newModel());
		await opened.startReindex(base, {}, author);
		await opened.waitUntilIdle();
		await opened.deleteKnowledgeBase(base);
		await opened.waitUntilIdle();
		const tables = ["passage_codes", "passage_vectors", "passage_codes_2", "passage_vectors_2", "reindexes"];
		expect(tables.map(count)).toEqual([0, 0, 0, 0, 0]);
	});
});
