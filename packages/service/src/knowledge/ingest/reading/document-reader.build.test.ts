import { afterEach, describe, expect, it } from "vitest";
import { decodePassages } from "../encoded-passages";
import type * as source from "./document-reader";
import type { DocumentReadOptions } from "./reading-processes";

// The package does not export it.
const path = new URL("../../../../dist/document-reader.js", import.meta.url).href;
const { createDocumentReaders, ReaderStoppedError } = (await import(path)) as typeof source;

let readers: source.DocumentReaders;
afterEach(() => readers.stop());

const read = (
	text: string,
	format: "markdown" | "text" = "text",
	workspace = "a",
	options: DocumentReadOptions = {},
) => readers.read(workspace, { bytes: Buffer.from(text), format, fileName: null, source: null }, options);

const readPassages = async (...parameters: Parameters<typeof read>) =>
	(await read(...parameters)).passages.flatMap(decodePassages);

/** Takes a second or more, and a few hundred megabytes. */
const toHeavy = (bytes: number): string => "- a *b*\n".repeat(bytes / 8);
const SMALL = 100_000;
const LARGE = 600_000;

describe("the readers of documents", () => {
	it("read every document, and say why one cannot be read", async () => {
		readers = createDocumentReaders();
		const results = await Promise.allSettled([readPassages("One."), readPassages(" "), readPassages("Two.")]);
		expect(results).toMatchObject([
			{ value: [{ text: "One." }] },
			{ reason: { error: { code: "no_text" } } },
			{ value: [{ text: "Two." }] },
		]);
	});

	it.each([SMALL, LARGE])(
		"end a document of %i bytes that takes too long, and read the next",
		async (bytes) => {
			readers = createDocumentReaders({
				toLimitMs: (size) => (size < SMALL ? 30_000 : 50),
				quickProcesses: 1,
			});
			const results = await Promise.allSettled([
				readPassages(toHeavy(bytes), "markdown"),
				readPassages("Next."),
			]);
			expect(results).toMatchObject([
				{ reason: { error: { code: "parse_timeout", message: expect.stringContaining("0.05 s") } } },
				{ value: [{ text: "Next." }] },
			]);
		},
	);

	it("end a document that takes too much memory, and read the next", async () => {
		readers = createDocumentReaders({ memoryMebibytes: 24 });
		const results = await Promise.allSettled([
			readPassages(toHeavy(LARGE), "markdown"),
			readPassages("Next."),
		]);
		expect(results).toMatchObject([
			{ reason: { error: { code: "parse_out_of_memory" } } },
			{ value: [{ text: "Next." }] },
		]);
	});

	it("read a document that takes much time or memory where there is more of it", async () => {
		readers = createDocumentReaders({ toLimitMs: () => 60_000 });
		await expect(read(toHeavy(SMALL), "markdown")).resolves.toMatchObject({ title: "- a b" });
	});

	it("keep a process free of the documents of one workspace", async () => {
		readers = createDocumentReaders({ quickProcesses: 2 });
		const { promise: released, resolve: release } = Promise.withResolvers<void>();
		const started: number[] = [];
		const waiting = Array.from({ length: 4 }, (_, index) => {
			const onStart = () => {
				started.push(index);
				return released;
			};
			return readPassages("Waits.", "text", "a", { onStart });
		});
		await read("Ten lines.", "text", "b");
		expect(started).toEqual([0]);
		release();
		await Promise.all(waiting);
		expect(started).toEqual([0, 1, 2, 3]);
	});

	it("read large documents of workspaces in turns", async () => {
		readers = createDocumentReaders();
		const ready: string[] = [];
		const text = "Words of a text. ".repeat(40_000);
		const all = ["a", "a", "a", "a", "a", "b"].map((workspace) =>
			read(text, "text", workspace).then(() => ready.push(workspace)),
		);
		await Promise.all(all);
		expect(ready.indexOf("b")).toBeLessThan(3);
	});

	it("read one poison candidate at a time, and others meanwhile", async () => {
		readers = createDocumentReaders();
		const turns: string[] = [];
		const { promise: released, resolve: release } = Promise.withResolvers<void>();
		const first = read("First poison candidate.", "text", "a", {
			isPoisonCandidate: true,
			onStart: () => {
				turns.push("first");
				return released;
			},
		});
		const second = read("Second poison candidate.", "text", "b", {
			isPoisonCandidate: true,
			onStart: async () => void turns.push("second"),
		});
		await read("No poison candidate.", "text", "c");
		await expect.poll(() => turns).toEqual(["first"]);
		release();
		await Promise.all([first, second]);
		expect(turns).toEqual(["first", "second"]);
	});

	it("blame no document for being stopped", async () => {
		readers = createDocumentReaders({ quickProcesses: 1 });
		const reading = [read("Being read."), read("Waiting.")];
		await readers.stop();
		const results = await Promise.allSettled([...reading, read("Late.")]);
		for (const result of results.slice(1))
			expect(result).toMatchObject({ reason: expect.any(ReaderStoppedError) });
	});
});
