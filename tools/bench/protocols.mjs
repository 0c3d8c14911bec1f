// The clients for MCP and A2A beside the official ones: bytes in a page, first call, calls, streams. [--quick]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { toTable } from "./engine/table.mjs";
import { A2A_CLIENTS, MCP_CLIENTS } from "./protocols/clients.mjs";
import { measureProtocolSizes } from "./protocols/sizes.mjs";
import { formatNumber, toTimes } from "./routing/format-number.mjs";
import { createVerdicts } from "./routing/verdicts.mjs";

const STEMMA = "Stemma";
const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 3 : 15;
const CALLS = isQuick ? 50 : 400;
const CONCURRENCY = 20;
const PIECES = isQuick ? 200 : 2_000;

const verdicts = createVerdicts();
const print = (title, headings, rows) => console.log(`${title}\n\n${toTable(headings, rows)}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

async function startServer(name) {
	const file = fileURLToPath(new URL(`./protocols/${name}.mjs`, import.meta.url));
	const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
	const [url] = await once(child.stdout, "data");
	return { url: String(url).trim(), stop: () => child.kill() };
}

async function compareSizes() {
	const sizes = await measureProtocolSizes();
	const rows = sizes.map(({ task, client, bytes, stemma }) => [
		task,
		client,
		formatNumber(bytes),
		toTimes(bytes / stemma),
	]);
	print("Bundled for a browser, minified", ["", "client", "bytes (gzip)", "to ours"], rows);
	for (const { task, client, more } of sizes)
		if (client === STEMMA) verdicts.atMost(`Size: ${task}, on top of run and stream`, more, " bytes", 4_096);
}

async function compareMcp() {
	const { url, stop } = await startServer("mcp-server");
	const times = Object.fromEntries(Object.keys(MCP_CLIENTS).map((name) => [name, { first: [], call: [] }]));
	for (let round = -1; round < ROUNDS; round++)
		for (const [name, connect] of Object.entries(MCP_CLIENTS)) {
			const { first, call } = await timeMcp(connect, url);
			if (round < 0) continue;
			times[name].first.push(first);
			times[name].call.push(call);
		}
	stop();
	const [own] = Object.values(times);
	const rows = Object.entries(times).map(([name, { first, call }]) => [
		name,
		formatNumber(median(first)),
		toTimes(median(first) / median(own.first)),
		formatNumber(median(call)),
		toTimes(median(call) / median(own.call)),
	]);
	const headings = [
		"MCP",
		"first result, ms",
		"to ours",
		`${CONCURRENCY} calls at once, µs a call`,
		"to ours",
	];
	print("Calls of a tool, over HTTP to a server of the official SDK", headings, rows);
}

async function timeMcp(connect, url) {
	const start = performance.now();
	const { add, end } = await connect(url);
	if ((await add(1, 2)) !== 3) throw new Error("The sum is wrong.");
	const first = performance.now() - start;
	const begin = performance.now();
	let left = CALLS;
	const work = async () => {
		while (left-- > 0) await add(left, 1);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, work));
	const call = ((performance.now() - begin) / CALLS) * 1000;
	await end();
	return { first, call };
}

async function compareA2a() {
	const { url, stop } = await startServer("a2a-server");
	const times = Object.fromEntries(Object.keys(A2A_CLIENTS).map((name) => [name, []]));
	for (let round = -1; round < ROUNDS; round++)
		for (const [name, connect] of Object.entries(A2A_CLIENTS)) {
			const count = await connect(url);
			const start = performance.now();
			if ((await count(PIECES)) !== PIECES) throw new Error(`${name} missed some.`);
			if (round >= 0) times[name].push(((performance.now() - start) / PIECES) * 1000);
		}
	stop();
	const own = median(times[STEMMA]);
	const rows = Object.entries(times).map(([name, all]) => [
		name,
		formatNumber(median(all)),
		toTimes(median(all) / own),
	]);
	print(
		`A stream of ${formatNumber(PIECES)} pieces, written at once`,
		["A2A", "µs a piece", "to ours"],
		rows,
	);
}

await compareSizes();
await compareMcp();
await compareA2a();
console.log(verdicts.toTable());
if (!verdicts.isAllMet()) process.exitCode = 1;
