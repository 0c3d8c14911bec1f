// One run of 1,000 events and 50 clients that watch it: processor time of the service. [--root=<a built clone>]
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { toTable } from "./engine/table.mjs";
import { median } from "./service/quantile.mjs";
import { startService } from "./service/start-service.mjs";

const EVENTS = 1_000;
const WATCHERS = 50;
const ROUNDS = 3;
/** Between two chunks of the model: watchers have each event before the next one. */
const PAUSE_MS = 10;

const root = process.argv.find((argument) => argument.startsWith("--root="))?.slice("--root=".length);
const milliseconds = (value) => `${Math.round(value)} ms`;

/** A model that says a word at a time. */
async function startModel() {
	const server = createServer(async (request, response) => {
		request.resume();
		response.writeHead(200, { "content-type": "text/event-stream" });
		const send = (choice) => response.write(`data: ${JSON.stringify({ id: "1", choices: [choice] })}\n\n`);
		for (let index = 0; index < EVENTS; index++) {
			send({ index: 0, delta: { content: `word ${index} ` }, finish_reason: null });
			await wait(PAUSE_MS);
		}
		send({ index: 0, delta: {}, finish_reason: "stop" });
		response.end("data: [DONE]\n\n");
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { server, baseUrl: `http://127.0.0.1:${server.address().port}/v1` };
}

/** Reads a run to its end, and gives the number of its events. */
async function watch({ url, token }, runId) {
	const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
	const response = await fetch(`${url}/v1/runs/${runId}/events`, { headers });
	if (!response.ok) throw new Error(await response.text());
	let text = "";
	let events = 0;
	const decoder = new TextDecoder();
	for await (const chunk of response.body) {
		text += decoder.decode(chunk, { stream: true });
		const all = text.split("\n\n");
		text = all.pop();
		events += all.filter((event) => event.startsWith("id: ")).length;
	}
	return events;
}

async function runWatched(service, watchers) {
	const { id } = await service.send("POST", "/v1/agents/desk/run", { input: "?", background: true });
	const counts = await Promise.all(Array.from({ length: watchers }, () => watch(service, id)));
	if (counts.some((count) => count < EVENTS))
		throw new Error(`A watcher has seen only ${Math.min(...counts)} events.`);
}

/** Processor time of the service while a run is watched, in milliseconds. */
async function measureCpu(service, watchers) {
	const before = await service.cpu();
	await runWatched(service, watchers);
	return (await service.cpu()) - before;
}

const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
const model = await startModel();
const service = await startService(
	folder,
	{
		providers: { slow: { provider: "openai-compatible", base_url: model.baseUrl, default_model: "slow" } },
		chat: "slow",
		outbound: { allow: ["127.0.0.1"] },
	},
	root,
);
try {
	await service.send("POST", "/v1/agents", {
		graph: { nodes: [{ id: "desk", kind: "coordinator" }] },
		slug: "desk",
	});
	await runWatched(service, WATCHERS);
	const alone = [];
	const watched = [];
	for (let round = 0; round < ROUNDS; round++) {
		alone.push(await measureCpu(service, 1));
		watched.push(await measureCpu(service, WATCHERS));
	}
	const rows = [
		["1 watcher", milliseconds(median(alone))],
		[`${WATCHERS} watchers`, milliseconds(median(watched))],
	];
	console.log(toTable([`run of ${EVENTS} events`, "processor time"], rows));
} finally {
	await service.stop();
	model.server.close();
	model.server.closeAllConnections();
	rmSync(folder, { recursive: true, force: true });
}
