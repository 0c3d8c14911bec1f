import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const START_TIMEOUT_MS = 20_000;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The real `stemma-runtime` over a folder of agents and a service. */
export const runtimeProcess = (folder, serviceUrl) => ({
	program: here("../../../packages/runtime/dist/main.js"),
	toArgs: (port) => [folder, "--port", String(port), "--service", serviceUrl],
	env: { STEMMA_CLIENT_ID: "bench", STEMMA_CLIENT_SECRET: "a-secret-of-nobody" },
});

export const nodeProcess = { program: here("node-process.mjs"), toArgs: (port) => [String(port)], env: {} };

export const honoProcess = { program: here("hono-process.mjs"), toArgs: (port) => [String(port)], env: {} };

/** Starts a server in a process of its own. `readyMs` is how long it took to its first `GET /healthz` that was well. */
export async function startProcess({ program, toArgs, env }) {
	const port = await findPort();
	const url = `http://127.0.0.1:${port}`;
	const startedAt = performance.now();
	const child = spawn(process.execPath, [program, ...toArgs(port)], {
		stdio: ["ignore", "ignore", "pipe"],
		env: { ...process.env, ...env },
	});
	let output = "";
	child.stderr.on("data", (chunk) => {
		output += chunk;
	});
	let health = await readHealth(url);
	while (health === undefined) {
		if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS)
			throw new Error(`${program} does not answer: ${output}`);
		await sleep(1);
		health = await readHealth(url);
	}
	return {
		url,
		health,
		readyMs: performance.now() - startedAt,
		/** Resident, in MB. */
		memory: () => (Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)])) * 1024) / 1e6,
		async stop() {
			const ended = once(child, "exit");
			child.kill("SIGKILL");
			await ended;
		},
	};
}

function findPort() {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}

function readHealth(url) {
	return new Promise((resolve) => {
		const sent = get(`${url}/healthz`, { agent: false }, async (response) => {
			let body = "";
			for await (const chunk of response) body += chunk;
			resolve(response.statusCode === 200 ? JSON.parse(body) : undefined);
		});
		sent.on("error", () => resolve(undefined));
	});
}
