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
		// What it says counts, where it says something.
		trustedProxies: ["loopback"],
		log: () => undefined,
	});
});
afterAll(async () => {
	for (const agent of agents) agent.destroy();
	await runtime.close(0);
});

/**
 * A caller from a loopback address of its own.
 *
 * @param forwardedFor - address of the caller, where the other one is that of a proxy.
 */
function createCaller(localAddress: string, forwardedFor?: string) {
	const agent = new Agent({ keepAlive: true });
	agents.push(agent);
	return (method: string, path: string, body?: object): Promise<number> =>
		new Promise((resolve, reject) => {
			const headers = {
				"content-type": "application/json",
				...(forwardedFor !== undefined && { "x-forwarded-for": forwardedFor }),
			};
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
	await expectTurns(createCaller("127.0.0.2"), createCaller("127.0.0.1"), { method, path });
});

test("a flood of one caller does not hold up another one behind the same proxy", async () => {
	const [flood, other] = ["203.0.113.1", "203.0.113.2"].map((address) => createCaller("127.0.0.1", address));
	if (flood === undefined || other === undefined) return expect.unreachable();
	await expectTurns(flood, other, { method: "POST", path: "/run/desk" });
});

type Caller = ReturnType<typeof createCaller>;

/** Floods the runtime, and expects that another caller is answered before half of the flood. */
async function expectTurns(
	flood: Caller,
	other: Caller,
	{ method, path }: { readonly method: string; readonly path: string },
): Promise<void> {
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
}
