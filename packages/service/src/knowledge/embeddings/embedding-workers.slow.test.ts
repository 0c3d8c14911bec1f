import { StemmaError } from "@stemma/core/errors";
import { ProviderError, type ProviderErrorCode } from "@stemma/routing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../errors/domain-error";
import type { Knowledge } from "../knowledge";
import { createHashedEmbedder, hashedSpace, toHashedVector } from "../test-support/hashed-embedder";
import {
	inProcessReader,
	openVectorDatabase,
	startKnowledge,
	type VectorDatabase,
	withPassages,
} from "../test-support/memory-knowledge";

let database: VectorDatabase;
const started: Knowledge[] = [];
beforeEach(() => {
	database = openVectorDatabase();
});
afterEach(async () => {
	await Promise.all(started.splice(0).map((knowledge) => knowledge.stop()));
	await database.close();
	vi.useRealTimers();
});

async function start(...[embedder, onError]: [ReturnType<typeof createHashedEmbedder>?, (() => void)?]) {
	const knowledge = await startKnowledge(database, inProcessReader, {
		embedder,
		...(onError && { onError }),
	});
	started.push(knowledge);
	return knowledge;
}

/** Each poll is a minute later. */
const advanceMinute =
	<Result>(read: () => Result) =>
	async (): Promise<Result> => {
		await vi.advanceTimersByTimeAsync(60_000);
		return read();
	};

const text = (content: string, source = content) => ({ content, source, format: "text" }) as const;

const readStatuses = () =>
	database.file
		.prepare("SELECT source, status, error FROM documents ORDER BY number")
		.all()
		.map(({ source, status, error }) => [
			source,
			status,
			...(error === null ? [] : [JSON.parse(String(error)).code]),
		]);

const countVectors = (): readonly unknown[] =>
	["passage_vectors", "passage_codes"].map(
		(table) => database.file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count,
	);

const fail = (code: ProviderErrorCode, retryAfterMs?: number) =>
	new ProviderError(`The vendor failed: ${code}.`, {
		code,
		vendorHost: "vectors.example",
		hint: "Do something.",
		retryAfterMs,
	});

const toSections = (count: number): string =>
	Array.from({ length: count }, (_, index) => `## Part ${index}\n\n${"Refunds and so on. ".repeat(20)}`).join(
		"\n\n",
	);

describe("documents with vectors", () => {
	it("are embedded many at a time, and a long one in parts", async () => {
		const embedder = createHashedEmbedder();
		const knowledge = await start(embedder);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(
			id,
			Array.from({ length: 100 }, (_, index) => text(`Refund ${index}.`)),
		);
		await knowledge.waitUntilIdle();
		expect(embedder.calls.length).toBeLessThan(4);
		expect(embedder.calls.flat()).toHaveLength(100);
		await knowledge.addDocuments(id, [{ content: toSections(600), source: "long", format: "markdown" }]);
		await knowledge.waitUntilIdle();
		const sizes = embedder.calls.slice(-3).map(({ length }) => length);
		for (const size of sizes) expect(size).toBeLessThanOrEqual(256);
		expect(embedder.calls.flat()).toHaveLength(700);
		expect(countVectors()).toEqual([700, 700]);
		expect((await knowledge.getKnowledgeBase(id)).passage_count).toBe(700);
	});

	it.each<readonly [string, () => Error]>([
		["a limit", () => fail("rate_limited", 20_000)],
		["a vendor that is overloaded", () => fail("overloaded", 0)],
		["a vendor that is too slow", () => fail("timeout")],
		["a vendor that is not there", () => fail("unreachable")],
		["an answer that is none", () => fail("bad_response")],
		["an answer that breaks off", () => fail("stream_truncated")],
		["a limit of our own", () => new DomainError("too_many_requests", "…", { retryAfterSeconds: 30 })],
		["a network", () => new TypeError("fetch failed")],
	])("wait for %s, and are embedded after that; others go on", async (_, toError) => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const onError = vi.fn();
		let isFailing = true;
		const embedder = createHashedEmbedder(256, {
			onCall: () => (isFailing ? Promise.reject(toError()) : undefined),
		});
		const words = await start();
		const plain = await words.createKnowledgeBase({ name: "Plain" });
		await words.addDocuments(plain.id, [text("first")]);
		await words.waitUntilIdle();
		await words.stop();
		const knowledge = await start(embedder, onError);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(id, [text("waits")]);
		await expect.poll(advanceMinute(() => onError.mock.calls.length)).toBeGreaterThan(2);
		await knowledge.addDocuments(plain.id, [text("goes on")]);
		await expect.poll(advanceMinute(readStatuses)).toEqual([
			["first", "ready"],
			["waits", "queued"],
			["goes on", "ready"],
		]);
		isFailing = false;
		await expect.poll(advanceMinute(() => readStatuses()[1])).toEqual(["waits", "ready"]);
		expect(countVectors()).toEqual([1, 1]);
	});

	it.each<readonly [string, () => Error]>([
		["bad_request", () => fail("bad_request")],
		["something", () => new StemmaError("…", { code: "something", hint: "Do it." })],
	])("fail for %s, with the reason, and can be tried again", async (code, toError) => {
		let isFailing = true;
		const embedder = createHashedEmbedder(256, {
			onCall: () => (isFailing ? Promise.reject(toError()) : undefined),
		});
		const knowledge = await start(embedder);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		const [added] = await knowledge.addDocuments(id, [text("x")]);
		await knowledge.waitUntilIdle();
		const { message } = toError();
		expect(await knowledge.getDocument(id, added?.id ?? "")).toMatchObject({
			status: "failed",
			error: { code, message, hint: expect.stringMatching(/^Do /) },
		});
		isFailing = false;
		await knowledge.addDocuments(id, [text("x")]);
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual([["x", "ready"]]);
	});

	it("do not fail for a text of another document", async () => {
		const embedder = createHashedEmbedder(256, {
			onCall: (texts) =>
				texts.some((embedded) => embedded.includes("guilty")) && Promise.reject(fail("context_length")),
		});
		const knowledge = await start(embedder);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(
			id,
			["one", "guilty", "two"].map((content) => text(content)),
		);
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual([
			["one", "ready"],
			["guilty", "failed", "context_length"],
			["two", "ready"],
		]);
	});

	it("of which a later part fails show nothing, cost nothing more, and leave no vector", async () => {
		const embedder = createHashedEmbedder(256, {
			onCall: (_, call) => call === 2 && Promise.reject(fail("content_filtered")),
		});
		const knowledge = await start(embedder);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(id, [{ content: toSections(900), source: "long", format: "markdown" }]);
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual([["long", "failed", "content_filtered"]]);
		expect(embedder.calls).toHaveLength(2);
		expect(countVectors()).toEqual([0, 0]);
		expect((await knowledge.listKnowledgeBaseModels([id]))[0]?.embedding).toBeUndefined();
	});

	it("are not stored when their vectors are longer than those that are there", async () => {
		let dimensions = 8;
		const knowledge = await startKnowledge(database, inProcessReader, {
			embedder: {
				space: hashedSpace,
				embed: async (texts) => texts.map((embedded) => toHashedVector(embedded, dimensions)),
			},
		});
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(id, [text("x")]);
		await knowledge.waitUntilIdle();
		dimensions = 16;
		await knowledge.addDocuments(id, [text("y")]);
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual([
			["x", "ready"],
			["y", "failed", "embedding_length_changed"],
		]);
		expect(countVectors()).toEqual([1, 1]);
	});
});

describe("a queue with vectors", () => {
	const blockCalls = () => new Promise(() => undefined);

	it("is stopped at once during a call that hangs, and goes on in the next process", async () => {
		const blockedCalls = createHashedEmbedder(256, { onCall: blockCalls });
		const knowledge = await start(blockedCalls);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(id, [text("x")]);
		await expect.poll(() => blockedCalls.calls.length).toBe(1);
		await knowledge.stop();
		expect(readStatuses()).toEqual([["x", "queued"]]);
		const next = await start(createHashedEmbedder());
		await next.waitUntilIdle();
		expect(readStatuses()).toEqual([["x", "ready"]]);
	});

	it("is stopped at once while it waits for a vendor, and blames no document for any number of restarts", async () => {
		const { id } = await (await start()).createKnowledgeBase({ name: "Shop" });
		for (let restart = 0; restart < 8; restart++) {
			const failing = createHashedEmbedder(256, {
				onCall: () => Promise.reject(fail("overloaded", 60_000)),
			});
			const knowledge = await start(failing);
			if (restart === 0) await knowledge.addDocuments(id, [text("x")]);
			await expect.poll(() => failing.calls.length).toBeGreaterThan(0);
			// The others are killed: nothing is put back.
			if (restart === 0) await knowledge.stop();
		}
		const knowledge = await start(createHashedEmbedder());
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual([["x", "ready"]]);
	});

	it("leaves nothing of a document that was half written when the process ended", async () => {
		let writes = 0;
		const crashed = await startKnowledge(database, inProcessReader, {
			embedder: createHashedEmbedder(),
			repositories: withPassages(database, ({ store }) => ({
				store: (input) => (++writes > 2 ? new Promise(() => undefined) : store(input)),
			})),
		});
		const { id } = await crashed.createKnowledgeBase({ name: "Shop" });
		await crashed.addDocuments(id, [{ content: toSections(600), source: "long", format: "markdown" }]);
		await expect.poll(() => writes).toBe(3);
		const [half] = countVectors();
		expect(half).toBeGreaterThan(0);
		// The next process has another model: half a document pins nothing.
		const space = { ...hashedSpace, model: "other" };
		const knowledge = await start(createHashedEmbedder(64, { space }));
		await knowledge.waitUntilIdle();
		expect(countVectors()).toEqual([600, 600]);
		const { embedding } = await knowledge.getKnowledgeBase(id);
		expect(embedding).toEqual({ model: "other", dimensions: 64, in_use: true });
	});

	it("fails what waited for vectors that cannot be compared any more, without making any", async () => {
		const isBlocked = { now: false };
		const onCall = await start(createHashedEmbedder(256, { onCall: () => isBlocked.now && blockCalls() }));
		const { id } = await onCall.createKnowledgeBase({ name: "Shop" });
		await onCall.addDocuments(id, [text("ready")]);
		await onCall.waitUntilIdle();
		isBlocked.now = true;
		await onCall.addDocuments(id, [text("waits")]);
		await onCall.stop();
		const embedder = createHashedEmbedder(64, { space: { ...hashedSpace, model: "other" } });
		const knowledge = await start(embedder);
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual([
			["ready", "ready"],
			["waits", "failed", "embedding_space_changed"],
		]);
		expect(embedder.calls).toEqual([]);
	});

	it("takes in by words alone what waited, when no embedding model is configured any more", async () => {
		const onCall = await start(createHashedEmbedder(256, { onCall: blockCalls }));
		const { id } = await onCall.createKnowledgeBase({ name: "Shop" });
		await onCall.addDocuments(id, [text("x")]);
		await onCall.stop();
		const knowledge = await start();
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual([["x", "ready"]]);
		expect((await knowledge.listKnowledgeBaseModels([id]))[0]?.embedding).toBeNull();
	});
});
