import type { ToolPort } from "@stemma/local";
import { createA2aHandler, createMcpHandler, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseOutboundAllow } from "../outbound/outbound-allow";
import { createOutboundGate, type OutboundGate } from "../outbound/outbound-gate";
import { createTestLookup } from "../outbound/test-support/test-lookup";
import { startTestTarget, type TestTarget } from "../outbound/test-support/test-target";
import { createAgentPorts } from "./agent-ports";
import { createExternalPorts } from "./external-ports";

const NAMES = { "mislead.example": [["127.0.0.1"]], "both.example": [["93.184.215.14", "127.0.0.1"]] };
const SECRET = "word-that-nobody-reads";

const server = useRpcServer();
/** Nobody may come here. */
let private_: TestTarget;
const gates: OutboundGate[] = [];
/** Requests that reached the gates. */
let attempts = 0;
beforeAll(async () => {
	private_ = await startTestTarget();
});
afterAll(async () => {
	await private_.close();
	for (const gate of gates) await gate.close();
});

function openPorts(allow: readonly string[], { canSeeAddresses = true, depth = 3 } = {}) {
	const { lookup } = createTestLookup(NAMES);
	const gate = createOutboundGate({ allow: parseOutboundAllow(allow), allowLoopback: false, lookup });
	gates.push(gate);
	const countingFetch: typeof gate.fetch = (input, init) => {
		attempts += 1;
		return gate.fetch(input, init);
	};
	const externalPorts = createExternalPorts(countingFetch, async () => SECRET);
	const nestedAgentPort = { run: async () => Promise.reject(new Error("No agents of the service here.")) };
	return createAgentPorts({
		externalPorts,
		nestedAgentPort,
		depth,
		canSeeAddresses,
		saveState: async () => undefined,
	});
}

const call = () => ({
	signal: AbortSignal.timeout(60_000),
	onText: () => undefined,
	onReset: () => undefined,
});
type Ports = ReturnType<typeof openPorts>;

/** All ways out of a graph. */
const CALLS: Readonly<Record<string, (ports: Ports, address: string) => Promise<unknown>>> = {
	"the list of tools": ({ tools }, address) => tools.describe(toTool(address), call()),
	"a tool": ({ tools }, address) => tools.call({ ...toTool(address), runId: "run_1", arguments: {} }, call()),
	"an agent": ({ agents }, address) =>
		agents.run(
			{ runId: "run_1", node: "legal", agent: { url: address }, secret: "key", input: "Hello?" },
			call(),
		),
};

const toTool = (address: string): Parameters<ToolPort["describe"]>[0] => ({
	node: "refund",
	tool: "refund",
	server: address,
	secret: "key",
});

const failure = (work: Promise<unknown>): Promise<{ code: string; message: string; hint?: string }> =>
	work.then(
		() => expect.unreachable(),
		(error) => error,
	);

describe.each(Object.keys(CALLS))("%s", (way) => {
	const go = (ports: Ports, address: string) => failure(CALLS[way]?.(ports, address) ?? Promise.resolve());

	it.each([
		"http://169.254.169.254/latest",
		"http://[fd00:ec2::254]/mcp",
		"http://10.0.0.1/mcp",
		"http://192.168.1.1/mcp",
		"http://[::ffff:127.0.0.1]:PORT/mcp",
		"http://127.0.0.1:PORT/mcp",
		"http://2130706433:PORT/mcp",
		"http://localhost:PORT/mcp",
		"http://mislead.example:PORT/mcp",
		"http://both.example:PORT/mcp",
		"http://metadata.google.internal/mcp",
	])("is not called at %s, and says at once what opens it", async (template) => {
		attempts = 0;
		const address = template.replace("PORT", String(private_.port));
		const error = await go(openPorts([]), address);
		expect(error).toMatchObject({ code: "blocked_address", hint: expect.stringContaining("outbound.allow") });
		expect(private_.connections()).toBe(0);
		// It is not tried again.
		expect(attempts).toBe(1);
	});

	it("tells of the operator's setting only to whoever may change settings", async () => {
		const error = await go(openPorts([], { canSeeAddresses: false }), "http://10.0.0.1/mcp");
		expect(error).toMatchObject({ code: "blocked_address", hint: expect.stringContaining("can see why") });
		expect(`${error.message} ${error.hint}`).not.toMatch(/10\.0\.0\.1|outbound/);
	});

	it.each([301, 302, 303, 307, 308])("follows no redirect: %s", async (status) => {
		server.handle((_, response) => {
			response.writeHead(status, { location: `http://127.0.0.1:${private_.port}/mcp` }).end();
		});
		const error = await go(openPorts([`127.0.0.1:${new URL(server.url).port}`]), server.url);
		expect(error).toMatchObject({ code: "redirected", hint: expect.stringContaining("the node's address") });
		expect(private_.requests).toEqual([]);
	});

	it("does not tell what a name leads to where nothing answers", async () => {
		const error = await go(openPorts(["private", "mislead.example"]), "http://mislead.example:1/mcp");
		expect(error.code).toBe("connection_failed");
		expect(`${error.message} ${error.hint}`).toContain("http://mislead.example:1");
		expect(`${error.message} ${error.hint}`).not.toMatch(/127\.0|ECONN|browser/);
	});
});

describe("what goes out", () => {
	it("has the secret and the depth", async () => {
		const ports = openPorts(["127.0.0.1"]);
		server.handle(createMcpHandler({ era: "modern", tools: [{ name: "refund" }] }));
		await CALLS["a tool"]?.(ports, server.url);
		const [called] = server.received.filter(({ rpc }) => rpc.method === "tools/call");
		server.handle(
			createA2aHandler({ events: [{ message: { messageId: "1", role: "ROLE_AGENT", parts: [] } }] }),
		);
		await CALLS["an agent"]?.(ports, server.url);
		const [sent] = server.received.filter(({ rpc }) => rpc.method === "SendStreamingMessage");
		for (const request of [called, sent])
			expect(request?.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, "stemma-depth": "3" });
	});
});

describe("a server that repeats what it was sent", () => {
	const ports = () => openPorts(["127.0.0.1"]);
	const base64 = Buffer.from(SECRET).toString("base64");

	it.each([
		["text", { content: [{ type: "text", text: `Bearer ${SECRET}, ${base64}` }] }],
		["data", { content: [], structuredContent: { [SECRET]: [{ header: `Bearer ${SECRET}` }] } }],
		["an error of the tool", { isError: true, content: [{ type: "text", text: `No: ${SECRET}` }] }],
	])("is not heard out by a tool: %s", async (_, result) => {
		server.handle(createMcpHandler({ era: "modern", tools: [{ name: "refund" }], call: () => result }));
		const caughtError = await CALLS["a tool"]?.(ports(), server.url).catch((error: unknown) => error);
		expect(JSON.stringify(caughtError)).toMatch(/\*{4}|\[redacted\]/);
		expect(JSON.stringify(caughtError)).not.toMatch(new RegExp(`${SECRET}|${base64}`));
	});

	it("is not heard out by the list of tools, nor in an error", async () => {
		const tools = [{ name: "refund", description: `Use ${SECRET}.` }];
		server.handle(createMcpHandler({ era: "modern", tools }));
		expect(await CALLS["the list of tools"]?.(ports(), server.url)).toMatchObject({
			description: "Use ****.",
		});
		server.handle((_, response) => void response.writeHead(400).end(`{"error":"${SECRET}"}`));
		for (const way of Object.keys(CALLS))
			expect(
				JSON.stringify(await failure(CALLS[way]?.(ports(), server.url) ?? Promise.resolve())),
			).not.toContain(SECRET);
	});

	it.each(
		Object.keys(CALLS).flatMap((way) =>
			[401, 403, 418, 429, 500, 503].map((status) => [way, status] as const),
		),
	)("is told by its status alone in an error of %s: %s", async (way, status) => {
		const message = `you sent Bearer ${SECRET}, and ${base64}`;
		server.handle((_, response) => {
			response.writeHead(status, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message, hint: message, code: "word" } }));
		});
		const error = await failure(CALLS[way]?.(ports(), `${server.url}/way?key=word`) ?? Promise.resolve());
		expect(error).toMatchObject({
			code: `http_${status}`,
			message: `"${new URL(server.url).origin}" answers with the HTTP status ${status}.`,
		});
		const field = way === "an agent" ? "`url`" : "`server`";
		expect(error.hint).toContain(status === 401 || status === 403 ? "`auth`" : field);
		expect(`${error.message} ${error.hint}`).not.toMatch(/you sent|word|redacted|baseUrl/);
	});

	it("is not heard out by an agent, wherever its text is cut", async () => {
		const text = `It was ${SECRET}, no less: ${SECRET.slice(0, 7)}.`;
		const caughtError: string[] = [];
		for (let splitAt = 1; splitAt < text.length; splitAt += 3) {
			const pieces = [text.slice(0, splitAt), text.slice(splitAt, splitAt + 5), text.slice(splitAt + 5)];
			server.handle(createA2aHandler({ events: toEvents(pieces) }));
			caughtError.length = 0;
			const { output } = await ports().agents.run(
				{ runId: "run_1", node: "legal", agent: { url: server.url }, secret: "key", input: "Hello?" },
				{ ...call(), onText: (piece) => void caughtError.push(piece) },
			);
			expect(output).toBe(`It was ****, no less: ${SECRET.slice(0, 7)}.`);
			// What is held back comes with the outcome.
			expect(output).toContain(caughtError.join(""));
			expect(caughtError.join("")).toMatch(/^It was \*{4}, no less/);
		}
	});
});

const toEvents = (pieces: readonly string[]): object[] => [
	{ task: { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } } },
	...pieces.map((text, index) => ({
		artifactUpdate: {
			taskId: "t1",
			contextId: "c1",
			artifact: { artifactId: "a", parts: [{ text }] },
			append: index > 0,
		},
	})),
	{ statusUpdate: { taskId: "t1", contextId: "c1", status: { state: "TASK_STATE_COMPLETED" } } },
];
