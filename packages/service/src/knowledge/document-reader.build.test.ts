import { afterEach, describe, expect, it } from "vitest";
import type * as source from "./document-reader";

// The package does not export it.
const path = new URL("../../dist/document-reader.js", import.meta.url).href;
const { createDocumentReader, ReaderStopped } = (await import(path)) as typeof source;

let reader: source.DocumentReader;
afterEach(() => reader.stop());

const read = (text: string, format: "markdown" | "text" = "text") =>
	reader.read({ bytes: Buffer.from(text), format, fileName: null, source: null });

/** Takes seconds, and a few hundred megabytes. */
const heavy = "*a **b** `c` [d](e)* ".repeat(60_000);

describe("the document reader", () => {
	it("reads one document after the other, and says why one cannot be read", async () => {
		reader = createDocumentReader();
		const results = await Promise.allSettled([read("One."), read(" "), read("Two.")]);
		expect(results).toMatchObject([
			{ value: { passages: [{ text: "One." }] } },
			{ reason: { error: { code: "no_text" } } },
			{ value: { passages: [{ text: "Two." }] } },
		]);
	});

	it("gives up a document that takes too long, and reads the next", async () => {
		reader = createDocumentReader({ timeoutMs: 1500 });
		const results = await Promise.allSettled([read(heavy.repeat(5), "markdown"), read("Next.")]);
		expect(results).toMatchObject([
			{ reason: { error: { code: "parse_timeout", message: expect.stringContaining("1.5 s") } } },
			{ value: { passages: [{ text: "Next." }] } },
		]);
	});

	it("gives up a document that takes too much memory, and reads the next", async () => {
		reader = createDocumentReader({ memoryMebibytes: 24 });
		const results = await Promise.allSettled([read(heavy, "markdown"), read("Next.")]);
		expect(results).toMatchObject([
			{ reason: { error: { code: "parse_out_of_memory" } } },
			{ value: { passages: [{ text: "Next." }] } },
		]);
	});

	it("blames no document for being stopped", async () => {
		reader = createDocumentReader();
		const reading = [read("Being read."), read("Waiting.")];
		await reader.stop();
		const results = await Promise.allSettled([...reading, read("Late.")]);
		for (const result of results.slice(1))
			expect(result).toMatchObject({ reason: expect.any(ReaderStopped) });
	});
});
