import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningRuntime, startRuntime } from "../../start-runtime";
import { graph, scriptedPorts } from "../../test-support/scripted";

let runtime: RunningRuntime;
const agents: Agent[] = [];
beforeAll(async () => {
	runtime = await startRuntime({
		agents: { desk: graph },
		ports: scriptedPorts(),
		port: 0,
		log: () => undefined,
	});
});
afterAll(async () => {
	for (const agent of agents) agent.destroy();
	await runtime.close(0);
});

/** A caller from a loopback address of its own. */
function createCaller(localAddress: string) {
	const agent = new Agent({ keepAlive: true });
	agents.push(agent);
	return (method: string, path: string, body?: object): Promise<number> =>
		new Promise((resolve, reject) => {
			const headers = { "content-type": "application/json" };
			const sent = request(`${runtime.url}${path}`, { method, headers, localAddress, agent }, (response) => {
				response.resume().on("end", () => resolve(response.statusCode ?? 0));
			});
			sent.on("error", reject);
			sent.end(body && JSON.stringify(body));
		});
}

const FLOOD = 300;

// macOS has no other loopback address than 127.0.0.1 until somebody adds it.
test.skipIf(process.platform === "darwin").each([
	["another caller's run", "POST", "/run/desk"],
	["a probe", "GET", "/healthz"],
])("a flood of one caller does not hold up %s", async (_, method, path) => {
	const flood = createCaller("127.0.0.2");
	const other = createCaller("127.0.0.1");
	const body = {
		input: "Go.",
		context: { notes: Array.from({ length: 2_000 }, (_, index) => `note ${index}`) },
	};
	await Promise.all([
		...Array.from({ length: FLOOD }, () => flood("GET", "/agents")),
		other("GET", "/agents"),
	]);
	let answered = 0;
	const burst = Array.from({ length: FLOOD }, () =>
		flood("POST", "/run/desk", body).then((status) => {
			answered += 1;
			return status;
		}),
	);
	const status = await other(method, path, method === "POST" ? { input: "Go." } : undefined);
	expect([status, answered < FLOOD / 2]).toEqual([200, true]);
	expect(new Set(await Promise.all(burst))).toEqual(new Set([200]));
});
