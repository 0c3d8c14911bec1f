// The client beside openai and LangGraph's: bytes in a page, import, streams, memory of a thousand of them. [--quick]
import { readFileSync } from "node:fs";
import { measureImports } from "./client/import-times.mjs";
import { measureMemory } from "./client/memory.mjs";
import { COMPLETIONS, RUNS, STEMMA } from "./client/readers.mjs";
import { measureSizes } from "./client/sizes.mjs";
import { toTable } from "./engine/table.mjs";
import { createLongWord, createWords } from "./routing/answer.mjs";
import { formatNumber, toTimes } from "./routing/format-number.mjs";
import { measureStreams } from "./routing/measure-streams.mjs";
import { findBest, toExponent, toLengthsTable, toSizesTable } from "./routing/stream-tables.mjs";
import { createVerdicts } from "./routing/verdicts.mjs";

const isQuick = process.argv.includes("--quick");
const OPTIONS = isQuick ? { rounds: 5, budgetMs: 0 } : { rounds: 40, budgetMs: 40_000 };
const IMPORTS = isQuick ? 7 : 41;
const MESSAGES = 2_000;
const STREAMS = 1_000;
const [LARGE, SMALL, TINY] = [16_384, 1_024, 7];
const LENGTHS = [1, 2, 4].map((mebibytes) => mebibytes * 2 ** 20);

const verdicts = createVerdicts();
const print = (title, table) => console.log(`${title}\n\n${table}\n`);

async function compareSizes() {
	const sizes = await measureSizes();
	const rows = sizes.map(({ task, client, bytes }) => {
		const own = sizes.find((size) => size.task === task && size.client === STEMMA);
		return [task, client, formatNumber(bytes), toTimes(bytes / own.bytes)];
	});
	print("Bundled for a browser, minified", toTable(["", "client", "bytes (gzip)", "to ours"], rows));
	for (const { task, client, bytes, budget } of sizes)
		if (client === STEMMA) verdicts.atMost(`Size: ${task}`, bytes, " bytes", budget);
}

function compareImports() {
	const times = measureImports(IMPORTS);
	const rows = times.map(({ client, ms }) => [client, formatNumber(ms), toTimes(ms / times[0].ms)]);
	const title = `Import in a fresh process, above the ${formatNumber(times[0].bare)} ms of one that imports nothing`;
	print(title, toTable(["", "ms", "to ours"], rows));
	for (const { client, ms } of times.slice(0, 2)) verdicts.atMost(`Import: ${client}`, ms, " ms", 10);
}

async function compareStreams(format) {
	const results = await measureStreams(format, [createWords(MESSAGES)], [LARGE, TINY], OPTIONS);
	print(`${format.name}: ${formatNumber(MESSAGES)} deltas`, toSizesTable(results));
	for (const [size, target] of [
		[LARGE, 2.5],
		[TINY, 1],
	]) {
		const isMeant = (result) => result.size === size;
		const ratio = findBest(results, "openai", isMeant) / findBest(results, STEMMA, isMeant);
		verdicts.atLeast(
			`${format.name}, openai to ours, pieces of ${formatNumber(size)} bytes`,
			ratio,
			"x",
			target,
		);
	}
}

async function measureLargeEvent() {
	const results = await measureStreams(RUNS, LENGTHS.map(createLongWord), [SMALL], OPTIONS);
	print(
		`${RUNS.name}: one large delta, in pieces of ${formatNumber(SMALL)} bytes`,
		toLengthsTable(results, LENGTHS),
	);
	verdicts.atMost("One large delta, exponent", toExponent(results, STEMMA), "", 1.2);
}

async function compareMemory() {
	const rows = await measureMemory(STREAMS, isQuick ? 1 : 3);
	const kilobytes = (client) => rows.find((row) => row.client === client).bytes / 1_000;
	const cells = rows.map(({ client, bytes }) => [
		client === "fetch" ? "fetch, its body read by hand" : client,
		formatNumber(bytes / 1_000),
		toTimes(bytes / 1_000 / kilobytes(STEMMA)),
	]);
	print(
		`${formatNumber(STREAMS)} streams open at once, in one process`,
		toTable(["", "kB of heap each", "to ours"], cells),
	);
	verdicts.atMost("Heap of a stream", kilobytes(STEMMA), " kB", 60);
	verdicts.atMost("… above bare fetch", kilobytes(STEMMA) - kilobytes("fetch"), " kB", 10);
}

function versionOf(name) {
	const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
	return `${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}`;
}

console.log(`Node ${process.versions.node}, ${["@langchain/langgraph-sdk", "openai"].map(versionOf).join(", ")}

Streams: every client is given the same bytes out of memory, and every delta that it gives is checked. All take turns, up to
${OPTIONS.rounds} rounds of it; compared is the fastest round of each, the transport's own time included.
`);
await compareSizes();
compareImports();
await compareStreams(RUNS);
await compareStreams(COMPLETIONS);
await measureLargeEvent();
await compareMemory();
print("Targets", verdicts.toTable());
if (!verdicts.isAllMet()) process.exitCode = 1;
