import { afterAll, expect, it } from "vitest";
import { encodePassages } from "../../../../knowledge/ingest/encoded-passages";
import { collectDocumentWords, type EncodedDocument } from "./document-words";

// As it was built, with its thread.
const { createWordCollector } = (await import(
	new URL("../../../../../dist/word-collector.js", import.meta.url).href
)) as typeof import("./word-collector");

const collector = createWordCollector();
afterAll(() => collector.stop());

const WHEELS = Array.from({ length: 60 }, (_, index) => ({
	text: `Wheel ${index} of a car that näht.`,
	place: { start: 0, end: 9 },
}));

function toDocument(first: number, count = WHEELS.length): EncodedDocument {
	const [passages] = encodePassages(WHEELS.slice(0, count));
	if (passages === undefined) throw new Error("There are no passages.");
	return { first, title: "Parts", passages };
}

/** Tells whether words come from a thread: what it sends are no buffers of Node any more. */
const isOfThread = (words: Awaited<ReturnType<typeof collectDocumentWords>>): boolean =>
	words !== undefined && !Buffer.isBuffer(words.blocks.records);

it("collects the words of many passages in a thread, as they are collected here", async () => {
	const documents = [toDocument(100), toDocument(500)];
	const [collected, expected] = [await collector.collect(documents), await collectDocumentWords(documents)];
	expect(isOfThread(collected)).toBe(true);
	expect(expected).toBeDefined();
	for (const part of ["passages", "blocks"] as const)
		for (const [column, bytes] of Object.entries(expected?.[part] ?? {}))
			expect(Buffer.from(Reflect.get(collected?.[part] ?? {}, column))).toEqual(Buffer.from(bytes));
	expect({ ...collected, passages: 0, blocks: 0 }).toEqual({ ...expected, passages: 0, blocks: 0 });
});

it("collects those of a few passages here", async () => {
	const collected = await collector.collect([toDocument(100, 3)]);
	expect(collected?.passageCount).toBe(3);
	expect(isOfThread(collected)).toBe(false);
});

it("collects none of documents whose passages cannot be decoded", async () => {
	const { passages, ...document } = toDocument(100);
	const broken = { ...document, passages: { ...passages, bytes: new Uint8Array([1]) } };
	expect(await collector.collect([toDocument(500), broken])).toBeUndefined();
});

it("collects them here once the thread is stopped", async () => {
	await collector.stop();
	const collected = await collector.collect([toDocument(100)]);
	expect(collected?.passageCount).toBe(60);
	expect(isOfThread(collected)).toBe(false);
});
