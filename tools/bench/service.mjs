// The service over HTTP: ingest, search, memory and disk with 100,000 passages, beside MiniSearch in memory.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeProcess, startProcess } from "./runtime/server-process.mjs";
import { createCorpus } from "./service/corpus.mjs";
import { createKnowledgeBase, ingest, search } from "./service/knowledge.mjs";
import { median, quantile, timeEach } from "./service/quantile.mjs";
import { createReport } from "./service/report.mjs";
import { startService } from "./service/start-service.mjs";
import { makeQueries, PASSAGES_A_DOCUMENT, timeSearches, toFiles } from "./service/workload.mjs";

const PASSAGES = Number(process.env.BENCH_PASSAGES ?? 100_000);
const KNOWLEDGE_BASES = 20;
const CHARACTERS = 800;
const SAMPLE = PASSAGES / 20;
const QUERIES = 300;
const ROUNDS = 5;
const SETTLE_MS = 1_500;

const corpus = createCorpus(1);
const { number, report, atMost, atLeast, toTable } = createReport();

const makePassages = (count) => Array.from({ length: count }, () => corpus.passage(CHARACTERS));

async function timeIngest(service, files) {
	const startedAt = performance.now();
	await ingest(service, files);
	return (performance.now() - startedAt) / 1_000;
}

/** The highest of what a number is while something goes on. */
async function peakWhile(read, work) {
	let peak = 0;
	let isDone = false;
	const sampling = (async () => {
		while (!isDone) {
			peak = Math.max(peak, await read());
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	})();
	const result = await work();
	isDone = true;
	await sampling;
	return { peak, result };
}

const sizeOf = (folder) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

async function measureService(folder, passages) {
	report("memory of bare node:http, idle", await measureBareNode(), "MiB");
	let service = await startService(folder);
	atMost("memory, idle after the first start", await service.memory(), "MiB", 120);
	const bases = [];
	for (let index = 0; index < KNOWLEDGE_BASES; index++)
		bases.push(await createKnowledgeBase(service, `base ${index}`));
	const files = toFiles(passages, bases, "rst");
	const { peak, result: seconds } = await peakWhile(service.memory, () => timeIngest(service, files));
	atLeast("ingest, text", passages.length / seconds, "passages/s", 8_000);
	atMost("memory, highest while ingesting", peak, "MiB", 350);
	await service.stop();
	const characters = passages.reduce((sum, text) => sum + text.length, 0);
	atMost("on disk, times the text", sizeOf(folder) / characters, "", 3);

	service = await startService(folder);
	atMost("opening the data folder", service.decryptMs, "ms", 300);
	atMost("memory, idle after opening it", await service.memory(), "MiB", 120);
	const queries = makeQueries(corpus, passages, bases, QUERIES);
	const cpuBefore = service.cpuWithChildren();
	const idle = await timeSearches(service, queries, ROUNDS);
	const cpu = (service.cpuWithChildren() - cpuBefore) / (ROUNDS * queries.length);
	atMost("search in one knowledge base, p50", idle.half, "ms", 8);
	report("… processor time of one in the service", cpu, "ms");
	atMost("search in one knowledge base, p95", idle.tail, "ms", 12);
	const all = await timeEach(queries.slice(0, 100), ({ query }) => search(service, query, bases));
	report("search in all knowledge bases, p50", median(all), "ms");

	const other = await createKnowledgeBase(service, "written");
	let isWriting = true;
	const writing = ingest(service, toFiles(makePassages(SAMPLE * 2), [other], "rst")).finally(
		() => (isWriting = false),
	);
	const times = [];
	while (isWriting)
		times.push(
			...(await timeEach(queries.slice(0, 20), (query) =>
				search(service, query.query, [query.knowledgeBase]),
			)),
		);
	await writing;
	atMost("search while writing, p95, times idle", quantile(times, 0.95) / idle.tail, "", 3);

	for (const format of ["md", "html"]) {
		const base = await createKnowledgeBase(service, format);
		const seconds = await timeIngest(service, toFiles(makePassages(SAMPLE), [base], format));
		report(`ingest, ${format === "md" ? "Markdown" : "HTML"}`, SAMPLE / seconds, "passages/s");
	}
	const startedAt = performance.now();
	await service.send("DELETE", `/v1/knowledge-bases/${bases[0]}`);
	report("deleting a knowledge base", performance.now() - startedAt, "ms");
	await service.stop();
	return queries;
}

/** In MiB. */
async function measureBareNode() {
	const server = await startProcess(nodeProcess);
	await sleep(SETTLE_MS);
	const megabytes = server.memory();
	await server.stop();
	return (megabytes * 1e6) / (1024 * 1024);
}

/** In memory and in this process: without HTTP, and nothing of it is durable. */
async function measureMiniSearch(passages, queries) {
	const fromCli = createRequire(new URL("../../packages/cli/package.json", import.meta.url));
	const { default: MiniSearch } = await import(fromCli.resolve("minisearch"));
	const startedAt = performance.now();
	const index = new MiniSearch({ fields: ["text"] });
	index.addAll(passages.map((text, id) => ({ id, text })));
	report("MiniSearch: indexing", (passages.length / (performance.now() - startedAt)) * 1_000, "passages/s");
	const times = await timeEach(queries.slice(0, 50), ({ query }) => index.search(query));
	report("MiniSearch: search in all passages, p50", quantile(times, 0.5), "ms");
}

const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
try {
	const passages = makePassages(PASSAGES);
	const queries = await measureService(folder, passages);
	await measureMiniSearch(passages, queries);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
console.log(`Node ${process.versions.node}; ${number(PASSAGES)} passages of ${CHARACTERS} characters in ${KNOWLEDGE_BASES} knowledge bases, uploaded as
files of ${PASSAGES_A_DOCUMENT} passages each. Times are those of the client, over HTTP; of searches, medians of ${ROUNDS} rounds.

${toTable()}
`);
