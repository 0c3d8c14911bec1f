// `npm start`: a service and a runtime start, take in the example handbook, answer a question from it through the example
// graph, and, unless `--once`, stay up until Ctrl-C. No key, no network.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import {
	createIngestBar,
	createRunRenderer,
	describeIngest,
	ingest,
	readAgentFile,
	readDataFolder,
	removeServiceFile,
	reportError,
	reportMissing,
	writeServiceFile,
} from "../packages/cli/dist/internal.js";
import { runtimeAgents, Stemma } from "../packages/client/dist/index.js";
import { connectService, startRuntime } from "../packages/runtime/dist/index.js";
import { createLoginLink, resolveConfiguration, startService } from "../packages/service/dist/index.js";
import { describeNextSteps } from "./demo-next-steps.mjs";

const agentFile = "examples/handbook/agent.json";
const documents = "examples/handbook/documents";
const knowledgeBase = "handbook";
const agentId = "handbook-desk";
const options = process.argv.slice(2).filter((arg) => arg.startsWith("-"));
const words = process.argv.slice(2).filter((arg) => !arg.startsWith("-"));
const question = words.join(" ") || "How many weeks of parental leave do I get, and is it paid?";

const unknown = options.filter((option) => option !== "--once");
if (unknown.length > 0) {
	console.error(
		`npm start takes a question and --once, not ${unknown.join(" ")}. All else: npm run stemma -- --help`,
	);
	process.exit(1);
}

// The runtime of the demonstration answers this machine alone, whatever is set for others.
delete process.env.STEMMA_RUNTIME_TOKEN;

/** What is undone at the end, last first. */
const cleanUp = [];
const interrupt = new AbortController();
const stopped = new Promise((resolve) => interrupt.signal.addEventListener("abort", resolve));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop());
// Whoever reads the output may stop reading (`| head`).
process.stdout.on("error", () => stop());
// Whoever started this may end without a word.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && stop(), 500).unref();

function stop() {
	if (interrupt.signal.aborted) process.exit(130);
	interrupt.abort();
}

const DEFAULT_PORTS = { service: 4000, runtime: 4120 };

/**
 * Starts a server on the port of the last time, so that addresses written down then stay right; else on the usual one, else on
 * any that is free.
 */
async function startOnFreePort(data, name, start) {
	const ports = readPorts(data);
	const defaultPort = DEFAULT_PORTS[name];
	for (const port of new Set([ports[name] ?? defaultPort, defaultPort, 0])) {
		try {
			const server = await start(port);
			const used = { ...ports, [name]: Number(new URL(server.url).port) };
			writeFileSync(join(data, PORTS_FILE), `${JSON.stringify(used)}\n`);
			return server;
		} catch (error) {
			if (port === 0 || !["cannot_listen", "port_in_use"].includes(error.code)) throw error;
		}
	}
}

const PORTS_FILE = "demo-ports.json";

function readPorts(data) {
	try {
		return JSON.parse(readFileSync(join(data, PORTS_FILE), "utf8"));
	} catch {
		return {};
	}
}

/** On the folder of the last time, so that nothing is taken in again; on one of its own where that is in use. */
async function startDemoService() {
	const dataFolder = ".stemma/demo";
	mkdirSync(dataFolder, { recursive: true });
	writeFileSync(".stemma/.gitignore", "*\n");
	try {
		return { data: dataFolder, service: await startServiceOn(dataFolder) };
	} catch (error) {
		if (error.code !== "data_folder_in_use") throw error;
		const data = mkdtempSync(join(tmpdir(), "stemma-demo-"));
		cleanUp.push(() => rmSync(data, { recursive: true, force: true }));
		return { data, service: await startServiceOn(data) };
	}
}

async function startServiceOn(data) {
	const service = await startOnFreePort(data, "service", (port) =>
		startService(resolveConfiguration({ content: { data, listen: { port }, log: { level: "error" } } })),
	);
	cleanUp.push(() => service.close(1000));
	await writeServiceFile(data, service.url);
	cleanUp.push(() => removeServiceFile(data, service.url));
	return service;
}

/** The knowledge base, up to date with the documents. */
async function ingestDocuments({ knowledge }) {
	let base;
	for await (const known of knowledge.list()) if (known.name === knowledgeBase) base ??= known;
	base ??= await knowledge.create({ name: knowledgeBase });
	const bar = createIngestBar(process);
	const { signal } = interrupt;
	const report = await ingest(knowledge, base.id, [documents], {
		prune: true,
		onProgress: bar.update,
		signal,
	}).finally(bar.clear);
	reportMissing(process, report);
	console.log(describeIngest(report));
	if (report.failed.length > 0) throw new Error("Not all documents of the example could be read.");
	return base.id;
}

/** The example graph names its knowledge base; in a service it has an id. */
function writeAgent(graph, folder, knowledgeBaseId) {
	const nodes = graph.nodes.map((node) =>
		node.kind === "knowledge" ? { ...node, knowledgeBases: [knowledgeBaseId] } : node,
	);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${agentId}.json`), `${JSON.stringify({ ...graph, nodes }, null, "\t")}\n`);
}

async function startDemoRuntime(data, baseUrl, credentials, agents) {
	const connection = connectService({ baseUrl, ...credentials });
	const runtime = await startOnFreePort(data, "runtime", (port) =>
		startRuntime({ ...connection, agents, port, log: () => undefined }),
	);
	cleanUp.push(() => runtime.close(1000));
	return runtime;
}

async function answer({ knowledge }, knowledgeBaseId, runtime) {
	const sources = new Map();
	for await (const { id, source } of knowledge.documents.list(knowledgeBaseId, { limit: 100 }))
		sources.set(id, source);
	const renderer = createRunRenderer(process, ({ document_id }) => sources.get(document_id));
	const { signal } = interrupt;
	const run = runtimeAgents({ baseUrl: runtime.url }).stream(agentId, { input: question }, { signal });
	for await (const event of run) renderer.onEvent(event);
	renderer.onEnd(await run.result());
}

async function main() {
	const graph = await readAgentFile(agentFile);
	console.log(`Question: ${question}\n`);
	const { data, service } = await startDemoService();
	const { credentials } = await readDataFolder(data);
	const stemma = new Stemma({ baseUrl: service.url, ...credentials });
	const knowledgeBaseId = await ingestDocuments(stemma);
	const agents = join(data, "agents");
	writeAgent(graph, agents, knowledgeBaseId);
	const runtime = await startDemoRuntime(data, service.url, credentials, agents);
	await answer(stemma, knowledgeBaseId, runtime);
	if (options.includes("--once")) return;
	const { link } = await createLoginLink({ data }, { operator: true, url: service.url });
	const { url, bootstrapCredentials } = service;
	const credentialsFile = relative(".", bootstrapCredentials.path);
	const body = JSON.stringify({ question, knowledge_base_ids: [knowledgeBaseId] });
	const places = {
		data,
		agents,
		credentials: credentialsFile,
		serviceUrl: url,
		runtimeUrl: runtime.url,
		link,
	};
	const requests = { knowledgeBase, agentId, body };
	console.log(describeNextSteps(process.platform, { ...places, ...requests }, DEFAULT_PORTS.service));
	await stopped;
	console.error("\nStopping …");
}

let status = 0;
try {
	await main();
} catch (error) {
	status = interrupt.signal.aborted ? 130 : 1;
	if (status === 1) reportError(process, error, agentFile);
}
for (const undo of cleanUp.reverse()) await undo();
process.exit(status);
