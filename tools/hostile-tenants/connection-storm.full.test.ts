import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Program } from "@stemma/simulators/processes";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, expect, it } from "vitest";
import { writeAgents } from "../end-to-end/agent-files.ts";

const STORM = 1500;
const harness = createHarness();
const sockets: Socket[] = [];
afterAll(async () => {
	for (const socket of sockets) socket.destroy();
	await harness.end();
});

const built = (path: string): string => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

/** How many connections the system keeps for a server that does not accept them. */
function readSystemLimit(): number {
	try {
		return Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
	} catch {
		return 0;
	}
}

/** Connections that are open while the server does nothing at all. */
async function countWhileStopped(program: Program): Promise<number> {
	const [, port = ""] = await program.waitForOutput(/listens on http:\/\/[^\s"]+?:(\d+)/);
	program.kill("SIGSTOP");
	let open = 0;
	try {
		for (let number = 0; number < STORM; number++) {
			const socket = connect(Number(port), "127.0.0.1", () => (open += 1));
			socket.on("error", () => undefined);
			sockets.push(socket);
		}
		await expect.poll(() => open).toBe(STORM);
		return open;
	} finally {
		program.kill("SIGCONT");
	}
}

it.skipIf(readSystemLimit() < STORM)(
	"the service keeps a storm of connections until it accepts them",
	async () => {
		const data = await harness.folder();
		const args = [built("cli/dist/main.js"), "serve", "--data", data, "--port", "0"];
		expect(await countWhileStopped(harness.start({ args, cwd: data }))).toBe(STORM);
	},
);

it.skipIf(readSystemLimit() < STORM)(
	"the runtime keeps a storm of connections until it accepts them",
	async () => {
		const agents = await harness.folder();
		await writeAgents(agents, { "a.json": { nodes: [{ id: "a", kind: "coordinator" }], edges: [] } });
		const args = [built("runtime/dist/main.js"), agents, "--port", "0"];
		const env = {
			STEMMA_BASE_URL: "http://127.0.0.1:9",
			STEMMA_CLIENT_ID: "cl_1",
			STEMMA_CLIENT_SECRET: "cs_1",
		};
		expect(await countWhileStopped(harness.start({ args, env, cwd: agents }))).toBe(STORM);
	},
);
