// Streams of Bedrock and chat completions, resolution and sizes, beside openai, the AI SDK and the AWS SDK. [--quick]
import { readFileSync } from "node:fs";
import { measure } from "./engine/measure.mjs";
import { toTable } from "./engine/table.mjs";
import { createLongWord, createWords } from "./routing/answer.mjs";
import { FRAME_LENGTH } from "./routing/converse-wire.mjs";
import { formatNumber, toTimes } from "./routing/format-number.mjs";
import { COMPLETIONS, CONVERSE, STEMMA } from "./routing/formats.mjs";
import { measureStreams } from "./routing/measure-streams.mjs";
import { resolutionCase } from "./routing/resolution.mjs";
import { measureSizes } from "./routing/sizes.mjs";
import { findBest, toExponent, toLengthsTable, toSizesTable } from "./routing/stream-tables.mjs";
import { createVerdicts } from "./routing/verdicts.mjs";

const OPTIONS = process.argv.includes("--quick")
	? { rounds: 5, budgetMs: 0 }
	: { rounds: 40, budgetMs: 40_000 };
const MESSAGES = 2_000;
const [LARGE, SMALL, SINGLE, TINY] = [16_384, 1_024, FRAME_LENGTH, 7];
const LENGTHS = [1, 2, 4].map((mebibytes) => mebibytes * 2 ** 20);

const verdicts = createVerdicts();
const print = (title, table) => console.log(`${title}\n\n${table}\n`);

/** How often a client takes as long as we do, with pieces of one size. */
function toRatio(results, client, size) {
	const isMeant = (result) => result.size === size;
	return findBest(results, client, isMeant) / findBest(results, STEMMA, isMeant);
}

async function measureConverse() {
	const results = await measureStreams(
		CONVERSE,
		[createWords(MESSAGES)],
		[LARGE, SMALL, SINGLE, TINY],
		OPTIONS,
	);
	print(`ConverseStream: ${formatNumber(MESSAGES)} messages of ${FRAME_LENGTH} bytes`, toSizesTable(results));
	const own = findBest(results, STEMMA, ({ size }) => size === LARGE);
	verdicts.atMost("ConverseStream, a message", own, " us", 2.5);
	verdicts.atLeast("ConverseStream, AWS SDK to ours", toRatio(results, "AWS SDK", LARGE), "x", 3);
}

async function measureCompletions() {
	const results = await measureStreams(COMPLETIONS, [createWords(MESSAGES)], [LARGE, TINY], OPTIONS);
	print(`Chat completions: ${formatNumber(MESSAGES)} events`, toSizesTable(results));
	for (const client of ["openai", "AI SDK, provider"]) {
		const what = `Chat completions, ${client} to ours`;
		verdicts.atLeast(what, toRatio(results, client, LARGE), "x", 2.5);
		verdicts.atLeast(`${what}, pieces of ${TINY} bytes`, toRatio(results, client, TINY), "x", 1);
	}
}

async function measureLargeEvent(format) {
	const results = await measureStreams(format, LENGTHS.map(createLongWord), [SMALL], OPTIONS);
	const title = `${format.name}: one large event, in pieces of ${formatNumber(SMALL)} bytes`;
	print(title, toLengthsTable(results, LENGTHS));
	verdicts.atMost(`${format.name}, one large event, exponent`, toExponent(results, STEMMA), "", 1.2);
}

async function measureResolution() {
	const [{ median, min, max }] = await measure([resolutionCase], OPTIONS);
	const row = ["resolveModel and planStages", ...[min, median, max].map(formatNumber)];
	print("Who answers, who pays", toTable(["", "us together", "median", "slowest"], [row]));
	verdicts.atMost("resolveModel and planStages together", min, " us", 5);
}

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

function versionOf(name) {
	const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
	return `${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}`;
}

const peers = [
	"openai",
	"ai",
	"@ai-sdk/openai-compatible",
	"@ai-sdk/amazon-bedrock",
	"@aws-sdk/client-bedrock-runtime",
];
console.log(`Node ${process.versions.node}, ${peers.map(versionOf).join(", ")}

Every client is given the same bytes out of memory, and every delta of the text that it gives is checked. All take turns,
up to ${OPTIONS.rounds} rounds of it. What is compared is the fastest round of each, the transport's own time included.
`);
await measureConverse();
await measureCompletions();
await measureLargeEvent(CONVERSE);
await measureLargeEvent(COMPLETIONS);
await measureResolution();
await compareSizes();
print("Targets", verdicts.toTable());
if (!verdicts.isAllMet()) process.exitCode = 1;
