import { openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeMisplacedPdf } from "@stemma/documents/pdf/test-support/make-pdf";
import { afterEach, describe, expect, it } from "vitest";
import { decodePassages } from "../knowledge/ingest/encoded-passages";
import type * as source from "../knowledge/ingest/reading/document-reader";
import { isRunning, listChildren } from "./test-support/list-children";

// The package does not export it.
const path = new URL("../../dist/document-reader.js", import.meta.url).href;
const { createDocumentReaders } = (await import(path)) as typeof source;

let readers: source.DocumentReaders | undefined;
afterEach(async () => {
	await readers?.stop();
	readers = undefined;
});

const read = (text: string) =>
	readers?.read("a", { bytes: Buffer.from(text), format: "markdown", fileName: null, source: null });

/** Takes seconds and some hundred megabytes. */
const HEAVY = "- a *b*\n".repeat(150_000);

async function findReadingProcess(parent = process.pid): Promise<number> {
	const list = () => listChildren(parent).filter(isReadingProcess);
	await expect.poll(() => list().length, { timeout: 60_000 }).toBeGreaterThan(0);
	return list()[0] ?? 0;
}

const isReadingProcess = (pid: number): boolean =>
	readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("document-process.js");

describe.skipIf(process.platform !== "linux")("a process that reads documents", () => {
	it("has no environment, no file of the service, and may write and start nothing", async () => {
		process.env.STEMMA_TEST_SECRET = "not-for-readers";
		const file = fileURLToPath(import.meta.url);
		openSync(file, "r");
		readers = createDocumentReaders();
		await read("One.");
		const pid = await findReadingProcess();
		const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
		const names = environment.map((line) => line.split("=")[0]);
		expect(names.sort()).toEqual([
			"MALLOC_ARENA_MAX",
			"MALLOC_MMAP_THRESHOLD_",
			"MALLOC_TRIM_THRESHOLD_",
			"UV_THREADPOOL_SIZE",
		]);
		const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
		expect(open).not.toContain(file);
		expect(open.filter((target) => target.startsWith("/") && !target.startsWith("/dev/"))).toEqual([]);
		const flags = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
		expect(flags).toContain("--permission");
		expect(flags.filter((flag) => /^--allow-(?!fs-read=|worker$)/u.test(flag))).toEqual([]);
	});

	it.each([
		["SIGSEGV", "parse_crashed"],
		["SIGKILL", "parse_out_of_memory"],
	] as const)("that ends by %s fails its document with %s, and no other", async (signal, code) => {
		readers = createDocumentReaders({ toLimitMs: () => 1_000_000, quickProcesses: 1 });
		const reading = read(HEAVY);
		const result = expect(reading).rejects.toMatchObject({ error: { code } });
		process.kill(await findReadingProcess(), signal);
		await result;
		const next = await read("Next.");
		expect(next?.passages.flatMap(decodePassages)).toMatchObject([{ text: "Next." }]);
	});

	it("finishes its document when the end of the service is told to all processes at once", async () => {
		readers = createDocumentReaders({ toLimitMs: () => 1_000_000, quickProcesses: 1 });
		await read("One.");
		const pid = await findReadingProcess();
		const reading = read("# A\n\nSome words.\n\n".repeat(5_000));
		process.kill(pid, "SIGTERM");
		process.kill(pid, "SIGINT");
		await expect(reading).resolves.toMatchObject({ title: "A" });
	});

	it("goes on where PDF.js leaves a failure of its own alone", async () => {
		readers = createDocumentReaders({ toLimitMs: () => 1_000_000, quickProcesses: 1 });
		await read("One.");
		const pid = await findReadingProcess();
		const bytes = await makeMisplacedPdf();
		const reading = readers.read("a", { bytes, format: "pdf", fileName: null, source: null });
		await expect(reading).rejects.toMatchObject({ error: { code: "no_text" } });
		await read("Next.");
		expect(isRunning(pid)).toBe(true);
	});

	it("ends with the readers", async () => {
		readers = createDocumentReaders();
		await read("One.");
		const pid = await findReadingProcess();
		await readers.stop();
		expect(isRunning(pid)).toBe(false);
	});
});
