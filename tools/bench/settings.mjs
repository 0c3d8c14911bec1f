// What a workspace's own model settings cost: reading them, opening their key, questions and completions with them. [--quick]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { createService, resolveConfiguration } from "../../packages/service/dist/index.js";
import { createCorpus } from "./service/corpus.mjs";
import { createKnowledgeBase, ingest, search } from "./service/knowledge.mjs";
import { median, quantile, timeEach } from "./service/quantile.mjs";
import { createReport } from "./service/report.mjs";
import { startService } from "./service/start-service.mjs";
import { startVendor } from "./service/start-vendor.mjs";

const QUICK = process.argv.includes("--quick");
const ROUNDS = QUICK ? 3 : 7;
const READS = QUICK ? 200 : 1_000;
const QUESTIONS = QUICK ? 30 : 100;
const STREAMS = QUICK ? 5 : 20;
const CHUNKS = 2_000;
const DOCUMENTS = 200;
const PASSAGES_A_DOCUMENT = 5;
const TOP_K = 8;
/** Passages that a model judges for so many that are wanted: what a question searches for. */
const CANDIDATES = 16;
const PATH = "/v1/workspace/llm-settings";

const ENCRYPTION = { keys: [{ id: "bench", key: { value: Buffer.alloc(32, 7).toString("base64") } }] };
const report = createReport();
const corpus = createCorpus(1);

const toSettings = (vendor, model) => ({
	provider: "openai-compatible",
	base_url: vendor.baseUrl,
	model,
	api_key: "sk-bench",
});
const times = (count) => Array.from({ length: count }, (_, index) => index);

/** Medians of several rounds in which all calls take turns: what disturbs the machine disturbs them alike. */
async function timeSequentially(calls, count, rounds = ROUNDS) {
	const halves = calls.map(() => []);
	for (const call of calls) await timeEach(times(Math.ceil(count / 10)), call);
	for (let round = 0; round < rounds; round++)
		for (const [index, call] of calls.entries())
			halves[index].push(quantile(await timeEach(times(count), call), 0.5));
	return halves.map(median);
}

/** A service in this process, without a port, and how its first workspace asks it. */
async function createInProcessClient(folder, vendor) {
	const content = { data: folder, log: { level: "silent" }, encryption: ENCRYPTION };
	const limits = { requests_per_minute: 10_000_000 };
	const service = await createService(resolveConfiguration({ content: { ...content, limits } }));
	const { client_id, client_secret } = JSON.parse(readFileSync(service.bootstrapCredentials.path, "utf8"));
	const send = async (method, path, body, headers) => {
		const request = new Request(`http://127.0.0.1${path}`, { method, headers, body });
		return (await service.fetch(request)).json();
	};
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const { access_token } = await send("POST", "/oauth/token", form);
	const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
	const settings = JSON.stringify(toSettings(vendor, "own"));
	await send("PUT", PATH, settings, headers);
	return { read: () => send("GET", PATH, undefined, headers), close: () => service.close(0) };
}

async function measureReads(service, here, vendor) {
	const [own, bare, inside] = await timeSequentially(
		[() => service.send("GET", PATH), () => vendor.post("/bare", "{}"), here.read],
		READS,
	);
	report.atMost("reading settings over HTTP, p50", own, "ms", 1);
	report.report("… times a bare HTTP server's answer", own / bare, "");
	report.atMost("reading settings without a port, p50", inside, "ms", 1);
}

async function countDecryptions(service, call) {
	const before = await service.decryptions();
	await call();
	return (await service.decryptions()) - before;
}

/** A credential is opened once a call, whatever comes of it. */
async function measureDecryptions(service, setModel, question) {
	const client = createClient(`${service.url}/v1`, service.token);
	async function stream(chunks) {
		if ((await client.stream("default")) !== chunks) throw new Error(`They are not ${chunks} chunks.`);
	}
	const decryptions = async (what, call, calls = 1) =>
		report.exactly(`credentials opened: ${what}`, (await countDecryptions(service, call)) / calls, "", 1);
	await decryptions("reading settings", () => service.send("GET", PATH));
	await decryptions("a question", () => service.send("POST", "/v1/ask", question(0)));
	for (const chunks of [2, CHUNKS]) {
		await setModel(`chunks-${chunks}`);
		await decryptions(`a stream of ${report.number(chunks)} chunks`, () => stream(chunks));
	}
	await decryptions(
		"each of 10 such streams at once",
		() => Promise.all(times(10).map(() => stream(CHUNKS))),
		10,
	);
}

/** A question less what it is made of: the search, and the calls to the vendor, made directly. */
async function measureAsk(service, vendor, question) {
	await service.send("POST", "/v1/ask", question(0));
	const bodies = await vendor.seen();
	const rest = [];
	const parts = { ask: [], search: [], vendor: [] };
	for (let index = 0; index < QUESTIONS * ROUNDS; index++) {
		const { question: query, knowledge_base_ids } = question(index);
		const [ask] = await timeEach([0], () => service.send("POST", "/v1/ask", question(index)));
		const [found] = await timeEach([0], () => search(service, query, knowledge_base_ids, CANDIDATES));
		const calls = await timeEach(bodies, (body) => vendor.post("/chat/completions", body));
		const vendorMs = calls.reduce((sum, ms) => sum + ms, 0);
		parts.ask.push(ask);
		parts.search.push(found);
		parts.vendor.push(vendorMs);
		rest.push(ask - found - vendorMs);
	}
	report.report("a question, p50", median(parts.ask), "ms");
	report.report("… its search alone, p50", median(parts.search), "ms");
	report.report(`… its ${bodies.length} calls to the vendor alone, p50`, median(parts.vendor), "ms");
	report.atMost("what a question takes besides, p50", median(rest), "ms", 5);
}

function createClient(baseURL, apiKey) {
	const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
	const messages = [{ role: "user", content: "What is it?" }];
	return {
		ask: (model) => client.chat.completions.create({ model, messages }),
		async stream(model) {
			let count = 0;
			for await (const chunk of await client.chat.completions.create({ model, messages, stream: true }))
				if (chunk.choices[0]?.delta.content) count += 1;
			return count;
		},
	};
}

/** The same client, straight to the vendor and through the service. */
async function measureGateway(service, vendor) {
	const direct = createClient(vendor.baseUrl, "sk-bench");
	const through = createClient(`${service.url}/v1`, service.token);
	const model = `chunks-${CHUNKS}`;
	const [near, far] = await timeSequentially(
		[() => direct.ask(model), () => through.ask("default")],
		QUESTIONS,
	);
	report.report("a completion: openai to the vendor, p50", near, "ms");
	report.report("a completion: openai through the service, p50", far, "ms");
	report.report("… times the direct one", far / near, "");
	const [straight, passed] = await timeSequentially(
		[() => direct.stream(model), () => through.stream("default")],
		STREAMS,
	);
	report.report(`a stream of ${report.number(CHUNKS)} chunks: to the vendor, p50`, straight, "ms");
	report.report("… through the service, p50", passed, "ms");
	report.report("… times the direct one", passed / straight, "");
}

async function measure(folder, vendor) {
	const service = await startService(join(folder, "service"), { encryption: ENCRYPTION });
	const here = await createInProcessClient(join(folder, "here"), vendor);
	const setModel = (model) => service.send("PUT", PATH, toSettings(vendor, model));
	const base = await createKnowledgeBase(service, "questions");
	const passages = times(DOCUMENTS * PASSAGES_A_DOCUMENT).map(() => corpus.passage(800));
	const files = times(DOCUMENTS).map((index) => ({
		knowledgeBase: base,
		name: `${index}.txt`,
		text: passages.slice(index * PASSAGES_A_DOCUMENT, (index + 1) * PASSAGES_A_DOCUMENT).join("\n\n"),
	}));
	await ingest(service, files);
	const questions = times(QUESTIONS).map((index) => corpus.question(passages[index * 7]));
	const question = (index) => ({
		question: questions[index % QUESTIONS],
		knowledge_base_ids: [base],
		top_k: TOP_K,
	});
	await setModel("own");
	await measureReads(service, here, vendor);
	await measureAsk(service, vendor, question);
	await measureDecryptions(service, setModel, question);
	await setModel(`chunks-${CHUNKS}`);
	await measureGateway(service, vendor);
	await Promise.all([service.stop(), here.close()]);
}

const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
const vendor = await startVendor();
try {
	await measure(folder, vendor);
} finally {
	await vendor.stop();
	rmSync(folder, { recursive: true, force: true });
}
console.log(`Node ${process.versions.node}. The service and a stand-in for a vendor that answers at once are processes of their own. Times are
those of the client, over HTTP; of ${ROUNDS} rounds in which all take turns, medians.

${report.toTable()}
`);
