// The service on Postgres, beside itself on SQLite: ingest and search over HTTP, with the work of both per passage and per search. [--quick] [--words | --vectors] [--root=<a built clone>] [--statements]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toTable } from "./engine/table.mjs";
import { startPostgres } from "./scale/postgres.mjs";
import { createCorpus } from "./service/corpus.mjs";
import { createKnowledgeBase, ingest } from "./service/knowledge.mjs";
import { quantile, timeEach } from "./service/quantile.mjs";
import { startService } from "./service/start-service.mjs";
import { startVendor } from "./service/start-vendor.mjs";
import { makeQueries, timeSearches, toFiles } from "./service/workload.mjs";

const PASSAGES_A_BASE = 5_000;
const PASSAGES = Number(
	process.env.BENCH_PASSAGES ?? (process.argv.includes("--quick") ? PASSAGES_A_BASE : 100_000),
);
const KNOWLEDGE_BASES = Math.max(1, Math.round(PASSAGES / PASSAGES_A_BASE));
const CHARACTERS = 800;
const IS_QUICK = process.argv.includes("--quick");
const QUERIES = IS_QUICK ? 100 : 300;
const ROUNDS = IS_QUICK ? 3 : 5;
const HAS_WORDS = !process.argv.includes("--vectors");
const DIMENSIONS = process.argv.includes("--words") ? [] : [384, 1536];

const root = process.argv.find((argument) => argument.startsWith("--root="))?.slice("--root=".length);
const corpus = createCorpus(1);
const passages = Array.from({ length: PASSAGES }, () => corpus.passage(CHARACTERS));
const number = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0 });

/** Work of both programs while something goes on. @param count - of what it does. */
async function measureWork(service, postgres, count, work) {
	const read = async () => ({
		service: service.cpuWithChildren(),
		postgres: postgres?.cpu() ?? 0,
		statements: (await postgres?.statements()) ?? 0,
	});
	const before = await read();
	const startedAt = performance.now();
	const result = await work();
	const seconds = (performance.now() - startedAt) / 1_000;
	const after = await read();
	const each = (name) => (after[name] - before[name]) / count;
	return {
		result,
		seconds,
		service: each("service"),
		postgres: each("postgres"),
		statements: each("statements"),
	};
}

async function createBases(service, count) {
	const bases = [];
	for (let index = 0; index < count; index++) bases.push(await createKnowledgeBase(service, `base ${index}`));
	return bases;
}

async function measureWords(service, postgres, queriesOf) {
	const bases = await createBases(service, KNOWLEDGE_BASES);
	const files = toFiles(passages, bases, "rst");
	const ingested = await measureWork(service, postgres, PASSAGES, () => ingest(service, files));
	if (process.argv.includes("--statements")) await printStatements(postgres);
	const queries = queriesOf(bases);
	await timeSearches(service, queries, 1);
	await postgres?.reset();
	const searched = await measureWork(service, postgres, ROUNDS * QUERIES, () =>
		timeSearches(service, queries, ROUNDS),
	);
	if (process.argv.includes("--statements")) await printStatements(postgres);
	return {
		"ingest, passages/s": PASSAGES / ingested.seconds,
		...toWork("a passage", ingested),
		...toSearch(searched),
	};
}

const toWork = (what, { service, postgres, statements }) => ({
	[`… service's processor time for ${what}, ms`]: service,
	"… Postgres's, ms": postgres,
	[`… statements for ${what}`]: statements,
});

const toSearch = ({ result, ...work }) => ({
	"search by words, p50, ms": result.half,
	"… p95, ms": result.tail,
	"… service's processor time, ms": work.service,
	"… Postgres's processor time, ms": work.postgres,
	"… statements": work.statements,
});

async function printStatements(postgres) {
	if (postgres === undefined) return;
	for (const { calls, ms, us, query } of await postgres.slowest())
		console.log(`${ms} ms  ${calls} calls  ${us} µs  ${query}`);
	await postgres.reset();
	console.log();
}

/** Searches by vector alone: the question shares no word with the passages. */
async function measureVectors(service, vendor, dimensions) {
	const [base] = await createBases(service, 1);
	const texts = passages.slice(0, PASSAGES_A_BASE).map((text, index) => `topic${index} ${text}`);
	const startedAt = performance.now();
	await ingest(service, toFiles(texts, [base], "rst"));
	const seconds = (performance.now() - startedAt) / 1_000;
	const queries = Array.from({ length: QUERIES }, (_, index) => ({
		query: `anything about subject${(index * 37) % PASSAGES_A_BASE}`,
		knowledgeBase: base,
	}));
	await timeSearches(service, queries, 1);
	const { half, tail } = await timeSearches(service, queries, ROUNDS);
	const calls = await timeEach(queries, ({ query }) =>
		vendor.post(
			"/embeddings",
			JSON.stringify({ model: "bench", input: [query], dimensions, encoding_format: "base64" }),
		),
	);
	return {
		[`${dimensions} dimensions: ingest, passages/s`]: PASSAGES_A_BASE / seconds,
		[`${dimensions} dimensions: search, p50, ms`]: half,
		"… p95, ms": tail,
		"… less the embedding of the question, p50, ms": half - quantile(calls, 0.5),
	};
}

async function withService(name, settings, measure) {
	const folder = mkdtempSync(join(tmpdir(), `stemma-bench-${name}-`));
	const service = await startService(folder, settings, root);
	try {
		return await measure(service);
	} finally {
		await service.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Measures everything on one store. @param postgres - left out: on SQLite. */
async function measureStore(vendor, queriesOf, postgres) {
	const open = async (name) =>
		postgres === undefined ? {} : { database: await postgres.createDatabase(name) };
	const rows = [];
	if (HAS_WORDS)
		rows.push(
			...Object.entries(
				await withService("words", await open("words"), (service) =>
					measureWords(service, postgres, queriesOf),
				),
			),
		);
	for (const dimensions of DIMENSIONS) {
		const embeddings = { base_url: vendor.baseUrl, model: "bench", dimensions };
		const settings = { embeddings, ...(await open(`vectors_${dimensions}`)) };
		rows.push(
			...Object.entries(
				await withService("vectors", settings, (service) => measureVectors(service, vendor, dimensions)),
			),
		);
	}
	return rows;
}

/** The same queries for both stores. */
function createQueries() {
	const texts = makeQueries(
		corpus,
		passages,
		Array.from({ length: KNOWLEDGE_BASES }, (_, index) => index),
		QUERIES,
	);
	return (bases) => texts.map(({ query, knowledgeBase }) => ({ query, knowledgeBase: bases[knowledgeBase] }));
}

const vendor = await startVendor();
const postgres = await startPostgres();
try {
	const queriesOf = createQueries();
	const sqlite = await measureStore(vendor, queriesOf);
	const rows = await measureStore(vendor, queriesOf, postgres);
	console.log(`Node ${process.versions.node}; ${number(PASSAGES)} passages of ${CHARACTERS} characters in ${KNOWLEDGE_BASES} knowledge bases; Postgres on the same
machine and the same disk, with fsync. Times are those of the client, over HTTP; of searches, medians of ${ROUNDS} rounds.

${toTable(
	["", "SQLite", "Postgres", "ratio"],
	rows.map(([what, value], index) => {
		const other = sqlite[index][1];
		return [what, number(other), number(value), other === 0 ? "" : `${number(value / other)} ×`];
	}),
)}
`);
} finally {
	await vendor.stop();
	await postgres.stop();
}
