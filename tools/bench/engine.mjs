// Time per step of the engine, beside bare async functions, Mastra workflows and LangGraph.
import { readFileSync } from "node:fs";
import * as floor from "./engine/floor.mjs";
import * as langgraph from "./engine/langgraph.mjs";
import * as mastra from "./engine/mastra.mjs";
import { measure } from "./engine/measure.mjs";
import * as stemma from "./engine/stemma.mjs";
import { toTable } from "./engine/table.mjs";

const TARGET = 2;
const ROUNDS = 15;
const BUDGET_MS = 40_000;

const ours = "Stemma (events, receipt)";
const bare = "bare async functions (floor)";

const chainSubjects = [
	{ subject: ours, prepare: stemma.prepareChain, lengths: [10, 50, 100, 1000, 5000] },
	{ subject: bare, prepare: floor.prepareChain, lengths: [10, 100, 1000, 5000] },
	{ subject: "Mastra start (no events)", prepare: mastra.prepareStart, lengths: [10, 100, 1000] },
	{ subject: "Mastra stream (step events)", prepare: mastra.prepareStream, lengths: [10, 100, 1000] },
	{ subject: "LangGraph invoke (no events)", prepare: langgraph.prepareInvoke, lengths: [10, 100, 1000] },
	{ subject: "LangGraph stream (update events)", prepare: langgraph.prepareStream, lengths: [10, 100, 1000] },
];

const agentLoop = "loop, agent called";
const knowledgeLoop = "loop, knowledge called";

const loopSubjects = [
	{ shape: agentLoop, subject: ours, prepare: stemma.prepareAgentLoop, lengths: [33, 333, 3332] },
	{ shape: agentLoop, subject: bare, prepare: floor.prepareAgentLoop, lengths: [33, 333, 3332] },
	{ shape: knowledgeLoop, subject: ours, prepare: stemma.prepareKnowledgeLoop, lengths: [49, 499, 4999] },
	{ shape: knowledgeLoop, subject: bare, prepare: floor.prepareKnowledgeLoop, lengths: [49, 499, 4999] },
];

const figure = (value) => value.toFixed(value < 100 ? 2 : 0);
const times = (value) => `${value.toFixed(value < 10 ? 2 : 0)}x`;
const count = (value) => value.toLocaleString("en");

function toCases(subjects) {
	return subjects.flatMap(({ shape = "chain", subject, prepare, lengths }) =>
		lengths.map((length) => ({ shape, subject, length, ...prepare(length) })),
	);
}

async function measureAll() {
	const cases = [...toCases(chainSubjects), ...toCases(loopSubjects)];
	const timings = await measure(cases, { rounds: ROUNDS, budgetMs: BUDGET_MS });
	return cases.map((measured, index) => ({ ...measured, timing: timings[index] }));
}

/** One line: a subject at one length, against ours at the same length, by its own steps and by nodes or calls. */
function toRow(result, results) {
	const { shape, subject, length, steps, timing } = result;
	const start = [subject, count(length), count(steps)];
	if (timing === undefined) return [...start, "too slow", "", "", "", "", ""];
	const own = results.find(
		(other) => other.subject === ours && other.shape === shape && other.length === length,
	);
	const perUnit = ({ timing: { median }, steps, length }) => (median * steps) / length;
	return [
		...start,
		figure(timing.median),
		figure(timing.min),
		figure(timing.max),
		figure(perUnit(result)),
		times(timing.median / own.timing.median),
		times(perUnit(result) / perUnit(own)),
	];
}

function printTable(title, unit, results) {
	const headings = [
		"subject",
		`${unit}s`,
		"steps",
		"us a step",
		"min",
		"max",
		`us a ${unit}`,
		"to ours, step",
		`to ours, ${unit}`,
	];
	const rows = results.toSorted((a, b) => a.length - b.length).map((result) => toRow(result, results));
	console.log(`${title}\n\n${toTable(headings, rows)}\n`);
}

function printSummary(results) {
	const shapes = [...new Set(results.map(({ shape }) => shape))];
	const rows = shapes.map((shape) => {
		const own = results.filter((result) => result.subject === ours && result.shape === shape);
		const hundred = own.find(({ steps }) => Math.abs(steps - 100) < 5);
		const tenThousand = own.find(({ steps }) => Math.abs(steps - 10_000) < 50);
		const bareOne = results.find(
			(result) => result.subject === bare && result.shape === shape && result.length === tenThousand.length,
		);
		const { median } = tenThousand.timing;
		return [
			shape,
			figure(hundred.timing.median),
			figure(median),
			times(median / hundred.timing.median),
			figure(median - bareOne.timing.median),
			median <= TARGET ? "met" : "missed",
		];
	});
	const headings = ["Stemma", "us a step at 100", "at 10,000", "ratio", "at 10,000 less the floor", "target"];
	console.log(
		`Linear to 10,000 steps? The target is at most ${TARGET} us a step.\n\n${toTable(headings, rows)}\n`,
	);
}

function versionOf(name) {
	const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
	return `${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}`;
}

const results = await measureAll();
console.log(`Node ${process.versions.node}, ${versionOf("@mastra/core")}, ${versionOf("@langchain/langgraph")}

A step of ours is an invocation of a node or a model turn: an agent in a chain takes two. A step of Mastra's and a node
of LangGraph's is one function, which asks the same scripted model once. The floor is counted in our steps. Times are
medians of ${Math.max(...results.map(({ timing }) => timing?.samples ?? 0))} samples, the scripted model's own time included.
`);
printTable(
	"Chains of agents",
	"node",
	results.filter(({ shape }) => shape === "chain"),
);
for (const shape of [agentLoop, knowledgeLoop])
	printTable(
		`Coordinator in a ${shape}`,
		"call",
		results.filter((result) => result.shape === shape),
	);
printSummary(results);
