import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkplace, type Outcome, type Workplace } from "./test-support/command";

let workplace: Workplace;
let server: Server;
const called: unknown[] = [];
beforeAll(async () => {
	workplace = await createWorkplace();
	server = createServer(async (request, response) => {
		const { id, method, params } = JSON.parse((await text(request)) || "{}");
		const result = RESULTS[method as keyof typeof RESULTS];
		if (method === "tools/call") called.push(params.arguments);
		if (id === undefined) return void response.writeHead(202).end();
		const body = result === undefined ? { error: { code: -32601, message: "Unknown." } } : { result };
		response
			.setHeader("content-type", "application/json")
			.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const refund = { id: "refund", kind: "tool", tool: "refund_order", server: `http://127.0.0.1:${port}/mcp` };
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ ...refund, arguments: { account: "main" }, approval: true },
		],
		edges: [{ from: "desk", to: "refund", mode: "before" }],
	};
	await writeFile(join(workplace.folder, "agent.json"), JSON.stringify(graph));
});
afterAll(async () => {
	server.close();
	await workplace.close();
});

/** Of a server that speaks the older MCP. */
const RESULTS = {
	initialize: {
		protocolVersion: "2025-11-25",
		capabilities: { tools: {} },
		serverInfo: { name: "shop", version: "1" },
	},
	"tools/list": {
		tools: [
			{
				name: "refund_order",
				inputSchema: {
					type: "object",
					properties: { order: { type: "string" }, account: { type: "string" } },
					required: ["order"],
				},
			},
		],
	},
	"tools/call": { content: [{ type: "text", text: "Paid." }] },
} as const;

const run = (...args: readonly string[]): Promise<Outcome> =>
	workplace.stemma("run", "agent.json", "A1", ...args);

describe("stemma run, of a graph that asks for approval", () => {
	it("pauses where nobody can be asked, and says how to go on", async () => {
		const { code, stderr } = await run();
		expect(stderr).toBe(
			[
				'paused: refund_order (refund) {"order":"A1","account":"main"} waits for an approval.',
				'hint:  Run it at a terminal, where you are asked, or with --approve all or --approve none. Runs of a service stay: "stemma runs approve".\n',
			].join("\n"),
		);
		expect([code, called]).toEqual([3, []]);
	});

	it("calls nothing with --approve none", async () => {
		const { code, stderr } = await run("--approve", "none");
		expect(stderr).toContain("Nobody is there who could approve it.");
		expect([code, called]).toEqual([1, []]);
	});

	it("calls with the approved arguments with --approve all, in one run", async () => {
		const { code, stdout } = await run("--approve", "all", "--json");
		const events = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["run.paused", "run.resumed"]));
		expect(events.at(-1)).toMatchObject({ type: "run.completed" });
		expect([code, called]).toEqual([0, [{ order: "A1", account: "main" }]]);
	});

	it("refuses another answer", async () => {
		expect(await run("--approve", "some")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("Allowed choices are all, none."),
		});
	});
});
