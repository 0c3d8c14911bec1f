// Search by meaning over HTTP, in knowledge bases of 5,000 passages, beside LanceDB and LangChain's store in memory. [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCorpus, DOCUMENT_FORMATS } from "./service/corpus.mjs";
import { createEmbedder } from "./service/embedder.mjs";
import { createKnowledgeBase, ingest, search } from "./service/knowledge.mjs";
import { median, quantile, timeEach } from "./service/quantile.mjs";
import { createReport } from "./service/report.mjs";
import { startService } from "./service/start-service.mjs";
import { startVendor } from "./service/start-vendor.mjs";
import { PEERS } from "./vectors/peers.mjs";

const DIMENSIONS = [1536, 384];
const KNOWLEDGE_BASES = process.argv.includes("--quick") ? 5 : 20;
const PASSAGES = Number(process.env.BENCH_PASSAGES ?? 5_000);
const PASSAGES_A_DOCUMENT = 20;
const CHARACTERS = 800;
const QUERIES = 100;
const ROUNDS = 5;
const TOP_K = 8;

const report = createReport();
const embed = createEmbedder();

/** Passages of one knowledge base, each about a topic of its own. */
function makePassages(base) {
	const corpus = createCorpus(base + 1);
	return Array.from(
		{ length: PASSAGES },
		(_, index) => `topic${base * PASSAGES + index} ${corpus.passage(CHARACTERS)}`,
	);
}

const toFiles = (knowledgeBase, passages) =>
	Array.from({ length: Math.ceil(PASSAGES / PASSAGES_A_DOCUMENT) }, (_, index) => ({
		knowledgeBase,
		name: `${index}.md`,
		text: DOCUMENT_FORMATS.md(passages.slice(index * PASSAGES_A_DOCUMENT, (index + 1) * PASSAGES_A_DOCUMENT)),
	}));

/** Questions that share no word with what answers them. */
function makeQueries() {
	const { random } = createCorpus(1_000);
	return Array.from({ length: QUERIES }, (_, index) => {
		const base = index % KNOWLEDGE_BASES;
		const topic = base * PASSAGES + Math.floor(random() * PASSAGES);
		return { base, topic, query: `anything about subject${topic}` };
	});
}

async function fill(service) {
	const bases = [];
	const startedAt = performance.now();
	for (let base = 0; base < KNOWLEDGE_BASES; base++) {
		bases.push(await createKnowledgeBase(service, `base ${base}`));
		await ingest(service, toFiles(bases[base], makePassages(base)));
	}
	const seconds = (performance.now() - startedAt) / 1_000;
	return { bases, passagesASecond: (KNOWLEDGE_BASES * PASSAGES) / seconds };
}

/** Medians of several rounds in which the service and its vendor take turns. */
async function timeSearches(service, vendor, { bases, queries, dimensions }) {
	const rounds = [];
	for (let round = 0; round <= ROUNDS; round++) {
		const whole = [];
		const calls = [];
		for (const { base, query } of queries) {
			const body = JSON.stringify({ model: "bench", input: [query], dimensions, encoding_format: "base64" });
			whole.push(...(await timeEach([query], () => search(service, query, [bases[base]], TOP_K))));
			calls.push(...(await timeEach([body], () => vendor.post("/embeddings", body))));
		}
		const rest = whole.map((ms, index) => ms - calls[index]);
		rounds.push({ whole, calls, rest });
	}
	// The first one warms up.
	const of = (name, share) => median(rounds.slice(1).map((round) => quantile(round[name], share)));
	return {
		half: of("whole", 0.5),
		tail: of("whole", 0.95),
		vendor: of("calls", 0.5),
		rest: of("rest", 0.5),
	};
}

const isAbout = (text, topic) => text?.includes(`topic${topic} `);
const toShare = (found) => found.filter(Boolean).length / found.length;

async function countFound(service, bases, queries) {
	const found = [];
	for (const { base, topic, query } of queries)
		found.push(isAbout((await search(service, query, [bases[base]], TOP_K))[0]?.text, topic));
	return toShare(found);
}

/** The first knowledge base alone, the embedding of questions left out. */
async function measurePeers(folder, dimensions, own) {
	const toVector = (text) =>
		Float32Array.from(embed({ input: text, model: "bench", dimensions }).data[0].embedding);
	const passages = makePassages(0).map((text) => ({ text, vector: toVector(text) }));
	const queries = makeQueries()
		.filter(({ base }) => base === 0)
		.map(({ topic, query }) => ({ topic, vector: toVector(query) }));
	for (const [name, open] of Object.entries(PEERS)) {
		const find = await open(passages, folder);
		const found = [];
		for (const { topic, vector } of queries) found.push(isAbout((await find(vector, TOP_K))[0], topic));
		const halves = [];
		for (let round = 0; round < ROUNDS; round++)
			halves.push(median(await timeEach(queries, ({ vector }) => find(vector, TOP_K))));
		report.report(`${dimensions}: ${name}, in process, p50`, median(halves), "ms");
		report.report("… times our search without its embedding", median(halves) / own, "");
		report.report("… the right one first", 100 * toShare(found), "%");
	}
}

async function measure(folder, vendor, dimensions) {
	const embeddings = { base_url: vendor.baseUrl, model: "bench", dimensions };
	const service = await startService(join(folder, `${dimensions}`), { embeddings });
	const { bases, passagesASecond } = await fill(service);
	const queries = makeQueries();
	const cpuBefore = service.cpuWithChildren();
	const {
		half,
		tail,
		vendor: call,
		rest,
	} = await timeSearches(service, vendor, { bases, queries, dimensions });
	const cpu = (service.cpuWithChildren() - cpuBefore) / ((ROUNDS + 1) * queries.length);
	report.atMost(`${dimensions}: search, p50`, half, "ms", 12);
	report.report(`${dimensions}: search, p95`, tail, "ms");
	report.report(`${dimensions}: processor time of a search in the service`, cpu, "ms");
	report.report(`${dimensions}: the question's embedding alone, p50`, call, "ms");
	report.atMost(`${dimensions}: search without it, p50`, rest, "ms", 5);
	report.report(`${dimensions}: the right one first`, 100 * (await countFound(service, bases, queries)), "%");
	report.report(`${dimensions}: ingest`, passagesASecond, "passages/s");
	report.report(`${dimensions}: memory`, await service.memory(), "MiB");
	await service.stop();
	await measurePeers(join(folder, `${dimensions}-peer`), dimensions, rest);
}

const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
const vendor = await startVendor();
try {
	for (const dimensions of DIMENSIONS) await measure(folder, vendor, dimensions);
} finally {
	await vendor.stop();
	rmSync(folder, { recursive: true, force: true });
}
console.log(`Node ${process.versions.node}; ${KNOWLEDGE_BASES} knowledge bases of ${report.number(PASSAGES)} passages of ${CHARACTERS} characters, each with a vector of so many
dimensions. The service and a stand-in for a vendor that answers at once are processes of their own; times are those of the
client, over HTTP, of a search in one knowledge base, and medians of ${ROUNDS} rounds. Others search vectors alone, of one knowledge base, in this process.

${report.toTable()}
`);
