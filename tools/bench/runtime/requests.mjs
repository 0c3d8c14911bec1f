import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../service/quantile.mjs";
import { startChild } from "./child.mjs";

const ANSWER = "An answer of a few words.";
const QUESTION = "A question.";

/** Each runs the same scripted model once and waits for the answer; Hono runs nothing. */
const SUBJECTS = [
	{ name: "bare Hono", program: "hono-server", path: "/run/desk", body: { input: QUESTION } },
	{ name: "Stemma", program: "stemma-server", path: "/run/desk", body: { input: QUESTION } },
	{
		name: "Mastra, workflow",
		program: "mastra-server",
		path: "/api/workflows/desk/start-async",
		body: { inputData: QUESTION },
	},
	{
		name: "Mastra, agent",
		program: "mastra-server",
		path: "/api/agents/desk/generate",
		body: { messages: QUESTION },
	},
	{
		name: "LangGraph, runs/wait",
		program: "langgraph-server",
		path: "/runs/wait",
		body: { assistant_id: "desk", input: { text: QUESTION } },
	},
];

/**
 * How many runs a second each server makes, of one that is asked at a time.
 *
 * @returns by subject the medians of the rounds: `rate`, `cpu` in microseconds of its processor a run, `share` of a processor
 * that it had, `idle` share of all processors, `p50` and `p99`; and the `rounds`, to compare subjects within each.
 */
export async function measureRequests({ rounds, seconds, connections }) {
	const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
	const load = await startChild("load");
	const servers = new Map();
	try {
		for (const { program } of SUBJECTS)
			if (!servers.has(program))
				servers.set(program, await startChild(program, [folder], { env: { LOG_LEVEL: "error" } }));
		const numbers = SUBJECTS.map(() => []);
		for (let round = -1; round < rounds; round++)
			for (const [index, subject] of SUBJECTS.entries()) {
				const server = servers.get(subject.program);
				const number = await measureOne(subject, server, load, { seconds, connections });
				if (round >= 0) numbers[index].push(number);
			}
		return SUBJECTS.map(({ name }, index) => ({ name, ...summarize(numbers[index]) }));
	} finally {
		await Promise.all([load, ...servers.values()].map((child) => child.stop()));
		rmSync(folder, { recursive: true, force: true });
	}
}

async function measureOne({ name, path, body }, server, load, { seconds, connections }) {
	const url = `${server.ready.url}${path}`;
	await check(name, url, body);
	const before = await readTimes(server);
	const sent = await load.ask({ url, body: JSON.stringify(body), connections, seconds });
	const after = await readTimes(server);
	if (sent.failed > 0) throw new Error(`${name}: ${sent.failed} requests failed.`);
	const cpu = after.cpu - before.cpu;
	return {
		...sent,
		cpu: cpu / sent.total,
		share: cpu / (after.us - before.us),
		idle: (after.idleMs - before.idleMs) / (after.allMs - before.allMs),
	};
}

/** Clock and processor time of a server in microseconds; idle time and time of all processors of the machine in milliseconds. */
async function readTimes(server) {
	const { answer: cpu } = await server.ask("cpu");
	const all = cpus().map(({ times }) => times);
	const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
	return {
		cpu,
		us: performance.now() * 1000,
		idleMs: sum(all.map(({ idle }) => idle)),
		allMs: sum(all.flatMap((times) => Object.values(times))),
	};
}

async function check(name, url, body) {
	const headers = { "content-type": "application/json" };
	const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
	const text = await response.text();
	if (response.status !== 200 || !text.includes(ANSWER))
		throw new Error(`${name} answered ${response.status}: ${text.slice(0, 200)}`);
}

const summarize = (numbers) => ({
	rounds: numbers,
	...Object.fromEntries(
		["rate", "cpu", "share", "idle", "p50", "p99"].map((field) => [
			field,
			median(numbers.map((number) => number[field])),
		]),
	),
});
