// The runtime over HTTP: requests, streams, start and memory, beside bare Hono, Mastra's server and LangGraph's. [--quick]
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { createComparison } from "./runtime/comparison.mjs";
import { measureRequests } from "./runtime/requests.mjs";
import { measureRuns } from "./runtime/runs.mjs";
import { measureStarts } from "./runtime/start-times.mjs";
import { measureStreams } from "./runtime/streams.mjs";
import { median } from "./service/quantile.mjs";

const STEMMA = "Stemma";
const HONO = "bare Hono";
const isQuick = process.argv.includes("--quick");
const REQUESTS = isQuick
	? { rounds: 4, seconds: 2, connections: 32 }
	: { rounds: 11, seconds: 2, connections: 32 };
const STREAMS = { rounds: isQuick ? 1 : 3, seconds: isQuick ? 3 : 8, streams: 500, eventsASecond: 1_000 };
const STARTS = { rounds: isQuick ? 3 : 9, files: 100 };
const RUNS = { runs: 200, eventsASecond: 1_000, seconds: isQuick ? 4 : 10 };
const PEERS = ["hono", "@hono/node-server", "@mastra/core", "@mastra/hono", "@langchain/langgraph-api"];

const comparison = createComparison();
/** Whether the servers had the processor that they could use while requests were measured. */
let hadProcessor = true;
/** Below these shares of a processor that was not idle, others had taken it from the server. */
const MIN_SHARE = 0.8;
const MIN_IDLE = 0.05;
const of = (results, name) => results.find((result) => result.name === name);
const peersOf = (results, field, divisor = 1) =>
	results
		.filter(({ name }) => name !== STEMMA)
		.map(({ name, [field]: value }) => ({ name, value: value / divisor }));

async function compareRequests() {
	const results = await measureRequests(REQUESTS);
	const own = of(results, STEMMA);
	const compare = (field, times) =>
		peersOf(results, field).map((peer) => ({
			...peer,
			ratio: medianRatio(own, of(results, peer.name), field),
			times: times[peer.name],
		}));
	hadProcessor = [own, of(results, HONO)].every(({ share, idle }) => share >= MIN_SHARE || idle >= MIN_IDLE);
	const rates = { [HONO]: 0.7, "Mastra, workflow": 10, "Mastra, agent": 10, "LangGraph, runs/wait": 10 };
	const rateTargets = hadProcessor ? rates : {};
	comparison.against("POST /run of one scripted model", own.rate, "/s", compare("rate", rateTargets));
	comparison.atMost("… processor time of each", own.cpu, "us", undefined, compare("cpu", { [HONO]: 1.5 }));
	const shares = peersOf(results, "share", 0.01).filter(({ name }) => name === HONO);
	comparison.atMost("… of one processor, the server had", own.share * 100, "%", undefined, shares);
}

/** Ratio of two servers: the median over the rounds, in each of which they were measured one after the other. */
const medianRatio = (own, peer, field) =>
	median(own.rounds.map((round, index) => round[field] / peer.rounds[index][field]));

async function compareStreams() {
	const results = await measureStreams(STREAMS);
	const { p50, p99, heap } = of(results, STEMMA);
	comparison.atMost("Event of 500 streams, p50", p50, "ms", 0.5, peersOf(results, "p50"));
	comparison.atMost("… p99", p99, "ms", 2, peersOf(results, "p99"));
	comparison.atMost("Heap of an open stream", heap / 1_000, "kB", 24, peersOf(results, "heap", 1_000));
}

async function compareStarts() {
	const results = await measureStarts(STARTS);
	const { readyMs, memory } = of(results, STEMMA);
	comparison.atMost("Start with 100 agent files", readyMs, "ms", 300, peersOf(results, "readyMs"));
	comparison.atMost("Resident memory, idle", memory, "MB", 80, peersOf(results, "memory"));
}

async function compareRuns() {
	const { direct, through, memory } = await measureRuns(RUNS);
	const toPeer = (field) => [{ name: "no runtime between", value: direct[field] }];
	comparison.atMost("Event of 200 runs, vendor to client, p50", through.p50, "ms", undefined, toPeer("p50"));
	comparison.atMost("… p99", through.p99, "ms", 10, toPeer("p99"));
	comparison.atMost("Resident memory, 200 streaming runs", memory, "MB", 200);
}

function versionOf(name) {
	const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
	return `${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}`;
}

const loadBefore = loadavg()[0];
await compareRequests();
await compareStreams();
await compareStarts();
await compareRuns();
const CONTENDED = hadProcessor
	? ""
	: " Other processes took\nprocessor time from the servers: what they answer a second says little of them and is not judged; their processor time is.";
console.log(`Node ${process.versions.node}, ${PEERS.map(versionOf).join(", ")}
${cpus().length} processors: ${cpus()[0].model}. Load of the machine before: ${loadBefore.toFixed(2)}

Requests: ${REQUESTS.connections} connections that stay open, from a process of its own; servers take turns, and each figure is the median of
${REQUESTS.rounds} rounds. Each server reads a JSON body, runs the same scripted model once and answers with its own result; Hono runs nothing and
answers what we do. Ratios are medians of those of each round.${CONTENDED}
Streams: ${STREAMS.eventsASecond} events a second in all, from the moment that the model (or, for peers, whoever writes) has one until another
process has read it. Runs: the real stemma-runtime between a service's stand-in and the client.

${comparison.toTable()}
`);
if (!comparison.isAllMet()) process.exitCode = 1;
