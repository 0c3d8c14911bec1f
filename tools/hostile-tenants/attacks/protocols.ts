import type { Attack, Step } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";
import { createAgent, desk, oneNode } from "./graphs.ts";

/** Refusals of JSON-RPC stand in answers with status 200 too. */
const REFUSED = ["400 *", "404 *", "405 *", "406 *", "409 *", "413 *", "415 *", "422 *", "429 *"];

const rpc = (method: string, params: object = {}): object => ({ jsonrpc: "2.0", id: 1, method, params });

const MCP = {
	accept: "application/json, text/event-stream",
	"mcp-protocol-version": "2025-11-25",
};

const mcp = (
	name: string,
	toBody: (hostile: Hostile) => object,
	{ everyMs = 200, concurrency = 2 } = {},
): Attack => ({
	name,
	// On a busy machine this caller does not wait for the end.
	expects: [...REFUSED, "broken timeout", "200 broken timeout"],
	everyMs,
	concurrency,
	start: (hostile) => () =>
		hostile.send("POST", "/mcp", toBody(hostile), { headers: MCP, timeoutMs: 30_000 }),
});

const INITIALIZE = rpc("initialize", {
	protocolVersion: "2025-11-25",
	capabilities: {},
	clientInfo: { name: "x".repeat(10_000), version: "1" },
});

const callTool = (name: string, args: object): object => rpc("tools/call", { name, arguments: args });

const A2A = { "a2a-version": "1.0" };

const message = (hostile: Hostile, text = "Go.", more: object = {}): object => ({
	message: { messageId: `m${hostile.random.next()}`, role: "ROLE_USER", parts: [{ text }], ...more },
});

const a2a = (
	name: string,
	toBody: (hostile: Hostile) => object,
	{ everyMs = 200, concurrency = 2, model = "hello" as "hello" | "drip" | "hang", timeoutMs = 20_000 } = {},
): Attack => ({
	name,
	expects: [...REFUSED, "broken timeout", "200 broken timeout", "501 *"],
	everyMs,
	concurrency,
	start: async (hostile): Promise<Step> => {
		const agent = await createAgent(hostile, oneNode(desk(model)));
		return () => hostile.send("POST", `/a2a/${agent}`, toBody(hostile), { headers: A2A, timeoutMs });
	},
});

export const PROTOCOL_ATTACKS: readonly Attack[] = [
	mcp("mcp-initialize", () => INITIALIZE, { everyMs: 50 }),
	mcp("mcp-search", () => callTool("search", { query: "the refund ".repeat(500) }), { concurrency: 10 }),
	mcp("mcp-ask", () => callTool("ask", { question: "When is the refund?" }), { concurrency: 6 }),
	mcp(
		"mcp-batches",
		() => Array.from({ length: 1000 }, () => callTool("search", { query: "refund" })) as object,
	),
	mcp("mcp-unknown-tools", ({ random }) => callTool(`t${random.next()}`, { a: "x".repeat(100_000) })),
	mcp("mcp-deep-arguments", () =>
		callTool("search", JSON.parse(`{"query":${"[".repeat(4000)}${"]".repeat(4000)}}`) as object),
	),
	{
		name: "mcp-listening",
		expects: [...REFUSED, "broken timeout", "200 broken timeout"],
		everyMs: 500,
		concurrency: 50,
		start: (hostile) => () =>
			hostile.send("GET", "/mcp", undefined, {
				headers: { ...MCP, accept: "text/event-stream" },
				timeoutMs: 5000,
			}),
	},
	a2a("a2a-send", (hostile) => rpc("SendMessage", message(hostile)), { concurrency: 6 }),
	a2a("a2a-send-and-leave", (hostile) => rpc("SendMessage", message(hostile)), {
		model: "hang",
		timeoutMs: 500,
		concurrency: 10,
	}),
	a2a("a2a-streams", (hostile) => rpc("SendStreamingMessage", message(hostile)), {
		model: "drip",
		concurrency: 30,
		timeoutMs: 5000,
	}),
	a2a("a2a-many-parts", (hostile) =>
		rpc(
			"SendMessage",
			message(hostile, "Go.", { parts: Array.from({ length: 30_000 }, () => ({ text: "x" })) }),
		),
	),
	a2a(
		"a2a-one-conversation",
		(hostile) => rpc("SendMessage", message(hostile, "x".repeat(50_000), { contextId: "ctx_mine" })),
		{
			concurrency: 4,
		},
	),
	a2a(
		"a2a-same-message",
		() => rpc("SendMessage", { message: { messageId: "one", role: "ROLE_USER", parts: [{ text: "Go." }] } }),
		{
			concurrency: 6,
		},
	),
	a2a("a2a-list-tasks", ({ random }) =>
		rpc("ListTasks", {
			pageSize: random.pick([1, 100, 1e9, -1]),
			includeArtifacts: true,
			historyLength: 1e9,
		}),
	),
	a2a("a2a-webhooks", (hostile) =>
		rpc("SendMessage", {
			...message(hostile),
			configuration: {
				returnImmediately: true,
				taskPushNotificationConfig: { url: `${hostile.endpoints}/hook`, token: "t".repeat(5000) },
			},
		}),
	),
	a2a("a2a-webhooks-of-one-task", (hostile) =>
		rpc("CreateTaskPushNotificationConfig", {
			taskId: "run_00000000000000000000000000",
			id: `c${hostile.random.next()}`,
			url: `${hostile.endpoints}/hook`,
		}),
	),
	{
		name: "a2a-subscribe",
		expects: [...REFUSED, "broken timeout", "200 broken timeout"],
		everyMs: 300,
		start: async (hostile) => {
			const agent = await createAgent(hostile, oneNode(desk("drip")));
			return async () => {
				const { text } = await hostile.send(
					"POST",
					`/a2a/${agent}`,
					rpc("SendMessage", { ...message(hostile), configuration: { returnImmediately: true } }),
					{ headers: A2A, timeoutMs: 10_000 },
				);
				const id = /"id":"(run_[^"]+)"/.exec(text)?.[1];
				if (id === undefined) return;
				await Promise.all(
					Array.from({ length: 50 }, () =>
						hostile.send("POST", `/a2a/${agent}`, rpc("SubscribeToTask", { id }), {
							headers: A2A,
							timeoutMs: 3000,
						}),
					),
				);
			};
		},
	},
];
