import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../service/quantile.mjs";
import { writeAgentFiles } from "./agent-files.mjs";
import { honoProcess, nodeProcess, runtimeProcess, startProcess } from "./server-process.mjs";

/** Nothing listens there, and nothing is asked before a run. */
const NO_SERVICE = "http://127.0.0.1:9";
const SETTLE_MS = 1_500;

/** @returns by subject the medians of milliseconds to the first answer, and of resident MB when idle. */
export async function measureStarts({ rounds, files }) {
	const folder = writeAgentFiles(files);
	const subjects = [
		{ name: "Stemma", process: runtimeProcess(folder, NO_SERVICE), ready: files },
		{ name: "bare Hono", process: honoProcess, ready: 0 },
		{ name: "bare node:http", process: nodeProcess, ready: 0 },
	];
	try {
		const numbers = subjects.map(() => []);
		for (let round = -1; round < rounds; round++)
			for (const [index, subject] of subjects.entries()) {
				const number = await measureStart(subject);
				if (round >= 0) numbers[index].push(number);
			}
		return subjects.map(({ name }, index) => ({
			name,
			readyMs: median(numbers[index].map(({ readyMs }) => readyMs)),
			memory: median(numbers[index].map(({ memory }) => memory)),
		}));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function measureStart({ name, process, ready }) {
	const server = await startProcess(process);
	try {
		const { agents } = server.health;
		if (agents.ready !== ready) throw new Error(`${name}: ${agents.ready} agents are ready, not ${ready}.`);
		await sleep(SETTLE_MS);
		return { readyMs: server.readyMs, memory: server.memory() };
	} finally {
		await server.stop();
	}
}
