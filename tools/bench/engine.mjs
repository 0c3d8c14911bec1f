// Time per step of the engine, beside bare async functions, Mastra workflows and LangGraph; approvals, and memory. [--quick]
import { readFileSync } from "node:fs";
import * as baseline from "./engine/baseline.mjs";
import * as langgraph from "./engine/langgraph.mjs";
import * as mastra from "./engine/mastra.mjs";
import { measure } from "./engine/measure.mjs";
import { measureApprovals } from "./engine/measure-approvals.mjs";
import { measureMemory } from "./engine/measure-memory.mjs";
import * as stemma from "./engine/stemma.mjs";
import { toTable } from "./engine/table.mjs";
import { formatNumber } from "./routing/format-number.mjs";
import { createVerdicts } from "./routing/verdicts.mjs";

const isQuick = process.argv.includes("--quick");
const TARGET = 2;
const ROUNDS = isQuick ? 3 : 15;
const BUDGET_MS = isQuick ? 0 : 40_000;
const APPROVALS = isQuick ? { rounds: 2, runs: 10 } : { rounds: 8, runs: 25 };
const APPROVAL_TURNS = [1, 10, 100];
const WAITING_RUNS = 1_000;
const WAITING_LENGTH = 10;

const stemmaSubject = "Stemma (events, receipt)";
const bare = "bare async functions (baseline)";

const chainSubjects = [
	{ subject: stemmaSubject, prepare: stemma.prepareChain, lengths: [10, 50, 100, 1000, 5000] },
	{ subject: bare, prepare: baseline.prepareChain, lengths: [10, 100, 1000, 5000] },
	{ subject: "Mastra start (no events)", prepare: mastra.prepareStart, lengths: [10, 100, 1000] },
	{ subject: "Mastra stream (step events)", prepare: mastra.prepareStream, lengths: [10, 100, 1000] },
	{ subject: "LangGraph invoke (no events)", prepare: langgraph.prepareInvoke, lengths: [10, 100, 1000] },
	{ subject: "LangGraph stream (update events)", prepare: langgraph.prepareStream, lengths: [10, 100, 1000] },
];

/** What peers have no like of. */
const shapes = [
	{
		shape: "loop, agent called",
		unit: "call",
		prepare: [stemma.prepareAgentLoop, baseline.prepareAgentLoop],
		lengths: [33, 333, 3332],
	},
	{
		shape: "loop, knowledge called",
		unit: "call",
		prepare: [stemma.prepareKnowledgeLoop, baseline.prepareKnowledgeLoop],
		lengths: [49, 499, 4999],
	},
	{
		shape: "hand-overs",
		unit: "node",
		prepare: [stemma.prepareHandoffs, baseline.prepareHandoffs],
		lengths: [10, 50],
	},
	{
		shape: "twelve nodes, mixed",
		unit: "run",
		prepare: [stemma.prepareMixed, baseline.prepareMixed],
		lengths: [1],
	},
];
const shapeSubjects = shapes.flatMap(({ shape, prepare, lengths }) =>
	[stemmaSubject, bare].map((subject, index) => ({ shape, subject, prepare: prepare[index], lengths })),
);

const memorySubjects = [
	{ subject: stemmaSubject, prepare: stemma.prepareChain },
	{ subject: bare, prepare: baseline.prepareChain },
	{ subject: "Mastra stream", prepare: mastra.prepareStream },
	{ subject: "LangGraph stream", prepare: langgraph.prepareStream },
];

const verdicts = createVerdicts();
const times = (value) => `${value.toFixed(value < 10 ? 2 : 0)}x`;
const count = (value) => value.toLocaleString("en");
const print = (title, headings, rows) => console.log(`${title}\n\n${toTable(headings, rows)}\n`);

function toCases(subjects) {
	return subjects.flatMap(({ shape = "chain", subject, prepare, lengths }) =>
		lengths.map((length) => ({ shape, subject, length, ...prepare(length) })),
	);
}

async function measureSteps() {
	const cases = [...toCases(chainSubjects), ...toCases(shapeSubjects)];
	const timings = await measure(cases, { rounds: ROUNDS, budgetMs: BUDGET_MS });
	return cases.map((measured, index) => ({ ...measured, timing: timings[index] }));
}

/** One line: a subject at one length, against ours at the same length, by its own steps and by nodes or calls. */
function toRow(result, results) {
	const { shape, subject, length, steps, timing } = result;
	const start = [subject, count(length), count(steps)];
	if (timing === undefined) return [...start, "too slow", "", "", "", "", ""];
	const own = results.find(
		(other) => other.subject === stemmaSubject && other.shape === shape && other.length === length,
	);
	const perUnit = ({ timing: { median }, steps, length }) => (median * steps) / length;
	return [
		...start,
		formatNumber(timing.median),
		formatNumber(timing.min),
		formatNumber(timing.max),
		formatNumber(perUnit(result)),
		times(timing.median / own.timing.median),
		times(perUnit(result) / perUnit(own)),
	];
}

function printSteps(title, unit, results) {
	const own = ["us a step", "min", "max", `us a ${unit}`];
	const headings = ["subject", `${unit}s`, "steps", ...own, "to ours, step", `to ours, ${unit}`];
	const rows = results.toSorted((a, b) => a.length - b.length).map((result) => toRow(result, results));
	print(title, headings, rows);
}

/** Our steps at every length, and whether they take longer where there are many. */
function judgeSteps(results) {
	for (const { shape, subject, length, timing } of results)
		if (subject === stemmaSubject)
			verdicts.atMost(`${shape}, ${count(length)}: a step`, timing.median, " us", TARGET);
	const own = results.filter(({ subject, shape }) => subject === stemmaSubject && shape === "chain");
	const [hundred, tenThousand] = [100, 10_000].map((wanted) => own.find(({ steps }) => steps === wanted));
	const ratio = tenThousand.timing.median / hundred.timing.median;
	verdicts.atMost("chain: a step of 10,000, times one of 100", ratio, "x", 2);
}

async function printApprovals() {
	const results = await measureApprovals(APPROVAL_TURNS, APPROVALS);
	const rows = results.map(({ subject, turns, pauseUs, saveUs, resumeUs, characters }) => {
		const own = results.find((other) => other.subject === "Stemma" && other.turns === turns);
		const total = (row) => row.pauseUs + row.saveUs + row.resumeUs;
		return [
			subject,
			count(turns),
			...[pauseUs, saveUs, resumeUs].map(formatNumber),
			times((pauseUs + saveUs + resumeUs) / total(own)),
			characters === undefined ? "" : count(characters),
		];
	});
	const headings = ["subject", "nodes before", "to the pause, us", "save", "resume to the end"];
	const title = `An approval at the end of a chain. We save JSON text once and resume from it; peers save into memory at every node.`;
	print(title, [...headings, "to ours, all", "characters saved"], rows);
}

async function printMemory() {
	const rows = [];
	for (const { subject, prepare } of memorySubjects) {
		const bytes = await measureMemory((replyModel) => prepare(WAITING_LENGTH, replyModel), WAITING_RUNS);
		rows.push({ subject, bytes });
	}
	const [own] = rows;
	print(
		`Heap of a run of a chain of ${WAITING_LENGTH} whose first model is thinking, ${count(WAITING_RUNS)} at once`,
		["subject", "kB a run", "to ours"],
		rows.map(({ subject, bytes }) => [subject, formatNumber(bytes / 1_000), times(bytes / own.bytes)]),
	);
}

function versionOf(name) {
	const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
	return `${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}`;
}

const results = await measureSteps();
console.log(`Node ${process.versions.node}, ${versionOf("@mastra/core")}, ${versionOf("@langchain/langgraph")}

A step of ours is an invocation of a node or a model turn: an agent in a chain takes two. A step of Mastra's and a node
of LangGraph's is one function, which asks the same scripted model once. The baseline is counted in our steps. Times are
medians of ${Math.max(...results.map(({ timing }) => timing?.samples ?? 0))} samples, the scripted model's own time included.
`);
printSteps(
	"Chains of agents",
	"node",
	results.filter(({ shape }) => shape === "chain"),
);
for (const { shape, unit } of shapes)
	printSteps(
		shape,
		unit,
		results.filter((result) => result.shape === shape),
	);
await printApprovals();
await printMemory();
judgeSteps(results);
console.log(`Targets\n\n${verdicts.toTable()}`);
if (!verdicts.isAllMet()) process.exitCode = 1;
