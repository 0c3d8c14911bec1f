// How long the check of a graph takes: cold, in a process that does nothing else, and warm, by size.
// Build packages/core first.  node tools/bench/core.mjs [samples]

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CORE = new URL("../../packages/core/dist/index.js", import.meta.url).href;
const TARGET_MS = 100;
const EDGES_PER_NODE = 10;

function createValid(size) {
	const nodes = Array.from({ length: size }, (_, index) => ({
		id: `node_${index}`,
		kind: index === 0 ? "coordinator" : "agent",
		description: `Knows part ${index}`,
		instructions: "Answer for {{context.customer}}.",
		maxTurns: 3,
	}));
	const edges = nodes.flatMap(({ id }, index) =>
		Array.from({ length: EDGES_PER_NODE }, (_, offset) => ({
			from: id,
			to: `node_${(index + offset + 1) % size}`,
			maxCalls: 3,
		})),
	);
	return { nodes, edges };
}

/** In every node and every edge two or three things are wrong. */
function createGraphWithErrors(size) {
	const nodes = Array.from({ length: size }, (_, index) => ({
		id: `no id ${index}`,
		kind: "agent",
		instruction: "misspelt",
	}));
	const edges = nodes.flatMap((_, index) =>
		Array.from({ length: EDGES_PER_NODE }, (_, offset) => ({
			from: `no_id_${index}`,
			to: `no_id_${index + offset}`,
			maxCalls: 0,
		})),
	);
	return { nodes, edges };
}

/** Every field is wrong, and every rule is broken. */
function createInvalidGraph(size) {
	const nodes = Array.from({ length: size }, (_, index) => ({
		id: index % 3 === 0 ? "twice" : `no id ${index}`,
		kind: ["agent", "coordinator", "agnt"][index % 3],
		instruction: "misspelt",
		maxTurns: 0,
	}));
	const edges = nodes.flatMap((_, index) =>
		Array.from({ length: EDGES_PER_NODE }, (_, offset) => ({
			from: `no_id_${index}`,
			to: offset % 2 === 0 ? "twice" : `no_id_${index + offset}`,
			mode: ["call", "then", "cal"][offset % 3],
			maxCalls: 0,
			when: { path: "no pointer" },
		})),
	);
	return { nodes, edges };
}

const GRAPHS = {
	valid: createValid,
	"all wrong": createGraphWithErrors,
	"every field wrong": createInvalidGraph,
};

/** Without a target: the time is that of making the problems, five for each edge. */
const WITHOUT_TARGET = ["every field wrong"];

async function measureCold(kind) {
	const beforeImport = performance.now();
	const { validateAgent } = await import(CORE);
	const importMs = performance.now() - beforeImport;
	const graph = GRAPHS[kind](1_000);
	const started = performance.now();
	const validation = validateAgent(graph);
	const ms = performance.now() - started;
	console.log(JSON.stringify({ importMs, ms, problems: validation.error?.issues.length ?? 0 }));
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const round = (value) => Math.round(value * 10) / 10;

async function sampleCold(kind, samples) {
	const results = [];
	for (let sample = 0; sample < samples; sample++) {
		const { stdout } = await promisify(execFile)(process.execPath, [
			fileURLToPath(import.meta.url),
			"--cold",
			kind,
		]);
		results.push(JSON.parse(stdout));
	}
	const times = results.map(({ ms }) => ms);
	return {
		graph: kind,
		problems: results[0].problems,
		"median ms": round(median(times)),
		"best ms": round(Math.min(...times)),
		"worst ms": round(Math.max(...times)),
		...(WITHOUT_TARGET.includes(kind) ? {} : { "target ms": TARGET_MS, met: median(times) < TARGET_MS }),
		"import ms": round(median(results.map(({ importMs }) => importMs))),
	};
}

async function measureWarm(kind) {
	const { validateAgent } = await import(CORE);
	const rows = [];
	for (let turn = 0; turn < 20; turn++) validateAgent(GRAPHS[kind](250));
	for (const size of [250, 500, 1_000, 2_000]) {
		const graph = GRAPHS[kind](size);
		const times = Array.from({ length: 15 }, () => {
			const started = performance.now();
			validateAgent(graph);
			return performance.now() - started;
		});
		rows.push({
			graph: kind,
			nodes: size,
			edges: size * EDGES_PER_NODE,
			"median ms": round(median(times)),
			"µs an edge": round((median(times) * 1_000) / (size * EDGES_PER_NODE)),
		});
	}
	return rows;
}

if (process.argv[2] === "--cold") await measureCold(process.argv[3]);
else {
	const samples = Number(process.argv[2] ?? 15);
	console.log(`Cold: 1,000 nodes, 10,000 edges, ${samples} fresh processes each, the import not counted`);
	const cold = [];
	for (const kind of Object.keys(GRAPHS)) cold.push(await sampleCold(kind, samples));
	console.table(cold);
	console.log("Warm: the time for one edge stays the same as the graph grows");
	const warm = [];
	for (const kind of Object.keys(GRAPHS)) warm.push(...(await measureWarm(kind)));
	console.table(warm);
	if (cold.some(({ met }) => met === false)) process.exitCode = 1;
}
