import { ProviderError, type ProviderErrorCode } from "@stemma/routing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../errors/domain-error";
import type { Knowledge } from "../knowledge";
import { createHashedEmbedder, type HashedEmbedder } from "../test-support/hashed-embedder";
import {
	inProcessReader,
	openVectorDatabase,
	startKnowledge,
	type VectorDatabase,
} from "../test-support/memory-knowledge";

const MINUTE_MS = 60_000;

let database: VectorDatabase;
let knowledge: Knowledge;
let onError: ReturnType<typeof vi.fn<(error: unknown) => void>>;
beforeEach(() => {
	// Polls go on.
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	database = openVectorDatabase();
	onError = vi.fn();
});
afterEach(async () => {
	await knowledge.stop();
	await database.close();
	vi.useRealTimers();
});

async function start(onCall: (texts: readonly string[], call: number) => unknown): Promise<HashedEmbedder> {
	const embedder = createHashedEmbedder(64, { onCall });
	knowledge = await startKnowledge(database, inProcessReader, { embedder, onError });
	return embedder;
}

async function upload(...contents: readonly string[]): Promise<string> {
	const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
	await add(id, ...contents);
	return id;
}

const add = (id: string, ...contents: readonly string[]) =>
	knowledge.addDocuments(
		id,
		contents.map((content) => ({ content, source: content, format: "text" as const })),
	);

/** Lets time pass a little at a time, so that what is due is done in between. */
async function pass(durationMs: number): Promise<void> {
	for (let step = 0; step < 30; step++) {
		await vi.advanceTimersByTimeAsync(durationMs / 30);
		for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
	}
}

const readStatuses = (): { readonly [source: string]: unknown } =>
	Object.fromEntries(
		database.file
			.prepare("SELECT source, status, error FROM documents")
			.all()
			.map(({ source, status, error }) => [
				source,
				error === null ? status : `${status} ${JSON.parse(String(error)).code}`,
			]),
	);

const count = (table: string): unknown =>
	database.file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;

const fail = (code: ProviderErrorCode, retryAfterMs?: number) =>
	new ProviderError(`The vendor failed: ${code}.`, {
		code,
		vendorHost: "vectors.example",
		hint: "Do something.",
		retryAfterMs,
	});

const mentions = (word: string) => (texts: readonly string[]) => texts.some((text) => text.includes(word));

const failFor =
	(word: string, toError: () => Error) =>
	(texts: readonly string[]): unknown =>
		mentions(word)(texts) && Promise.reject(toError());

describe("a document that the vendor fails on", () => {
	it.each<readonly [string, () => Error]>([
		["overloaded", () => fail("overloaded")],
		["timeout", () => fail("timeout")],
		["rate_limited", () => fail("rate_limited", 20_000)],
		["bad_response", () => fail("bad_response")],
		["embedding_failed", () => new TypeError("fetch failed")],
	])("holds up no other (%s), and fails in the end", async (code, toError) => {
		const embedder = await start(failFor("poison", toError));
		const id = await upload("one", "poison", "two", "poison too");
		await pass(MINUTE_MS);
		expect(readStatuses()).toMatchObject({ one: "ready", two: "ready" });
		expect(readStatuses().poison).not.toMatch("failed");
		await add(id, "three");
		await pass(MINUTE_MS);
		expect(readStatuses()).toMatchObject({ three: "ready" });
		await pass(15 * MINUTE_MS);
		expect(readStatuses().poison).not.toMatch("failed");
		await pass(120 * MINUTE_MS);
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toMatchObject({ poison: `failed ${code}`, "poison too": `failed ${code}` });
		const failed = embedder.calls.filter(mentions("poison"));
		expect(failed.length).toBeLessThan(40);
		// Once it is known that one of a group is why it fails, they are embedded alone.
		expect(failed.filter(({ length }) => length > 1)).toHaveLength(2);
		expect(count("uploads")).toBe(0);
	});

	it("gets its vector once the vendor can make it, and what was half written is gone", async () => {
		let isFailing = true;
		await start((texts) => isFailing && failFor("Part 250", () => fail("overloaded"))(texts));
		const long = Array.from({ length: 300 }, (_, part) => `## Part ${part}\n\n${"And so on. ".repeat(30)}`);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(id, [{ content: long.join("\n\n"), source: "long", format: "markdown" }]);
		await pass(MINUTE_MS);
		expect(readStatuses()).toEqual({ long: "queued" });
		isFailing = false;
		await pass(60 * MINUTE_MS);
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual({ long: "ready" });
		expect([count("passages"), count("passage_vectors")]).toEqual([300, 300]);
	});

	it("has its next turn no sooner than the vendor asks for", async () => {
		const embedder = await start(failFor("poison", () => fail("rate_limited", 5 * MINUTE_MS)));
		await upload("poison");
		await pass(4 * MINUTE_MS);
		expect(embedder.calls).toHaveLength(1);
		await pass(2 * MINUTE_MS);
		// With one that asks whether the vendor answers others.
		expect(embedder.calls).toHaveLength(3);
		await pass(3 * MINUTE_MS);
		expect(embedder.calls).toHaveLength(3);
		await pass(3 * MINUTE_MS);
		expect(embedder.calls).toHaveLength(4);
	});
});

describe("a vendor that is down for everybody", () => {
	it("fails nothing, however long, and hears few calls", async () => {
		let isFailing = true;
		const embedder = await start(() => isFailing && Promise.reject(fail("overloaded")));
		await upload(...Array.from({ length: 300 }, (_, index) => `Text ${index}.`));
		await pass(6 * 60 * MINUTE_MS);
		expect(new Set(Object.values(readStatuses()))).toEqual(new Set(["queued"]));
		isFailing = false;
		const onCall = embedder.calls.length;
		await pass(2 * MINUTE_MS);
		await knowledge.waitUntilIdle();
		expect(new Set(Object.values(readStatuses()))).toEqual(new Set(["ready"]));
		expect(embedder.calls.length - onCall).toBeLessThan(6);
	});

	it.each<readonly [string, () => Error]>([
		...(["invalid_credential", "permission", "quota", "model_not_found"] as const).map(
			(code) => [code, () => fail(code)] as const,
		),
		["credential_undecryptable", () => new DomainError("credential_undecryptable", "…", { hint: "Do it." })],
	])("until somebody mends the configuration (%s) is tried seldom, with one group", async (_, toError) => {
		let isFailing = true;
		const embedder = await start(() => isFailing && Promise.reject(toError()));
		const id = await upload("first");
		await pass(1_000);
		await add(id, ...Array.from({ length: 300 }, (_, index) => `Text ${index}.`));
		await pass(30_000);
		expect(new Set(Object.values(readStatuses()))).not.toContain("failed");
		expect(embedder.calls.length).toBeLessThanOrEqual(2);
		await pass(60 * MINUTE_MS);
		expect(embedder.calls.length).toBeGreaterThan(5);
		expect(embedder.calls.length).toBeLessThan(14);
		expect(onError).toHaveBeenCalledTimes(embedder.calls.length);
		isFailing = false;
		await pass(11 * MINUTE_MS);
		await knowledge.waitUntilIdle();
		expect(new Set(Object.values(readStatuses()))).toEqual(new Set(["ready"]));
	});
});

describe("what was deleted", () => {
	it.each<readonly [string, (id: string) => Promise<unknown>]>([
		[
			"as a document",
			async (id) => {
				for (const document of await knowledge.listDocuments(id, { limit: 10 }))
					await knowledge.deleteDocument(id, document.id);
			},
		],
		["with its knowledge base", (id) => knowledge.deleteKnowledgeBase(id)],
	])("%s is not sent to the vendor again", async (_, remove) => {
		let isFailing = true;
		const embedder = await start(() => isFailing && Promise.reject(fail("overloaded")));
		await upload("kept");
		const id = await upload("secret");
		await pass(2_000);
		expect(embedder.calls.filter(mentions("secret"))).not.toEqual([]);
		await remove(id);
		const onCall = embedder.calls.length;
		await pass(5 * MINUTE_MS);
		isFailing = false;
		await pass(5 * MINUTE_MS);
		await knowledge.waitUntilIdle();
		expect(embedder.calls.slice(onCall).filter(mentions("secret"))).toEqual([]);
		expect(readStatuses()).toEqual({ kept: "ready" });
	});

	it("is not sent on, though only some of it was", async () => {
		const blocked: { release?: () => void } = {};
		const embedder = await start(
			(_, call) => call === 2 && new Promise<void>((resolve) => (blocked.release = resolve)),
		);
		const long = Array.from({ length: 900 }, (_, part) => `## Part ${part}\n\n${"And so on. ".repeat(30)}`);
		const { id } = await knowledge.createKnowledgeBase({ name: "Shop" });
		await knowledge.addDocuments(id, [{ content: long.join("\n\n"), source: "long", format: "markdown" }]);
		await expect.poll(() => embedder.calls.length).toBe(2);
		await knowledge.deleteKnowledgeBase(id);
		blocked.release?.();
		await knowledge.waitUntilIdle();
		expect(embedder.calls).toHaveLength(2);
		expect([count("passages"), count("passage_vectors"), count("knowledge_bases")]).toEqual([0, 0, 0]);
	});
});

describe("workers", () => {
	it("take what comes while one is at work", async () => {
		const releases: (() => void)[] = [];
		const embedder = await start(() => new Promise<void>((resolve) => releases.push(resolve)));
		const id = await upload("first");
		await expect.poll(() => embedder.calls.length).toBe(1);
		await add(id, "second");
		await expect.poll(() => embedder.calls.length).toBe(2);
		await add(id, "third");
		await pass(MINUTE_MS);
		expect(embedder.calls).toHaveLength(2);
		releases.splice(0).forEach((release) => void release());
		await expect.poll(() => embedder.calls.length).toBe(3);
		releases.splice(0).forEach((release) => void release());
		await knowledge.waitUntilIdle();
		expect(readStatuses()).toEqual({ first: "ready", second: "ready", third: "ready" });
	});
});
