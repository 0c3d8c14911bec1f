import { createClient } from "@stemma/client";
import {
	type AgentGraph,
	type ChatEvent,
	type ChatModel,
	type ChatRequest,
	type ChatToolCall,
	ConfigurationError,
} from "@stemma/core";
import {
	artifact,
	createA2aHandler,
	createMcpHandler,
	type RequestHandler,
	status,
	submitted,
	text,
	useRpcServer,
} from "@stemma/simulators/rpc";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
	createLocalAgent,
	defineTool,
	type LocalAgentOptions,
	type LocalPorts,
	mcpTools,
	remoteAgents,
	servicePorts,
} from "./index";

const server = useRpcServer();
afterEach(() => vi.unstubAllEnvs());

/** Calls these in its first turn, all at once, and then says what came back. */
function callingModel(...calls: readonly { readonly name: string; readonly args: object }[]) {
	const requests: ChatRequest[] = [];
	const model: ChatModel = {
		provider: "calling",
		model: "c",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream(request): AsyncGenerator<ChatEvent> {
			requests.push({ ...request, messages: [...request.messages] });
			const toolCalls: readonly ChatToolCall[] =
				requests.length > 1
					? []
					: calls.map(({ name, args }, index) => ({
							id: `c${index}`,
							name,
							arguments: JSON.stringify(args),
						}));
			const replyText = request.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
			yield { type: "finish", reply: { text: replyText.join(" | "), toolCalls, finishReason: "stop" } };
		},
	};
	const models: LocalPorts["models"] = { resolve: () => ({ model, payer: "none", reason: "In the test." }) };
	return { requests, ports: { models } };
}

const both: RequestHandler = (request, response) =>
	request.path.startsWith("/mcp") ? tools(request, response) : agent(request, response);

const tools = createMcpHandler({
	era: "modern",
	tools: [
		{
			name: "refund_order",
			description: "Pays back.",
			inputSchema: { type: "object", properties: { order: { type: "string" }, account: { type: "string" } } },
		},
	],
	call: ({ order, account }) => text(`${order} from ${account}`),
});

const agent = createA2aHandler({
	events: [submitted, artifact("a", [{ text: "It is legal." }]), status("COMPLETED")],
});

const graph = (over: { readonly account?: string; readonly auth?: string } = {}): AgentGraph => {
	const auth = over.auth === undefined ? {} : { auth: { secret: over.auth } };
	return {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{
				id: "refund",
				kind: "tool",
				tool: "refund_order",
				server: `${server.url}/mcp`,
				arguments: { [over.account ?? "account"]: "main" },
				...auth,
			},
			{ id: "clock", kind: "tool", tool: "clock" },
			{ id: "legal", kind: "remote", url: server.url, ...auth },
		],
		edges: ["refund", "clock", "legal"].map((to) => ({ from: "desk", to })),
	};
};

const clock = defineTool({ run: () => "noon" });
const calls = [
	{ name: "refund", args: { order: "A1" } },
	{ name: "clock", args: {} },
	{ name: "legal", args: { input: "May we?" } },
];

describe("a graph with tools in code, tools of a server, and another agent", () => {
	it("runs without a port for them", async () => {
		server.handle(both);
		const { ports, requests } = callingModel(...calls);
		const local = createLocalAgent(graph(), { ports, tools: { clock }, depth: 4 });
		const result = await local.run({ input: "Pay A1 back." });
		expect(result.output).toBe("A1 from main | noon | It is legal.");
		expect(result.receipt).toMatchObject([{}, { payer: "external", node: "legal", provider: "a2a" }, {}]);
		expect(requests[0]?.tools).toMatchObject([
			{ name: "refund", description: "Pays back.", parameters: { properties: { order: {} } } },
			{ name: "clock" },
			{ name: "legal" },
		]);
		expect(JSON.stringify(requests[0]?.tools)).not.toContain("account");
		const called = server.received.filter(({ rpc }) => /tools\/call|SendStreaming/.test(rpc.method ?? ""));
		expect(called.map(({ headers }) => headers["stemma-depth"])).toEqual(["4", "4"]);
		await local.run({ input: "Again." });
		expect(server.received.filter(({ rpc }) => rpc.method === "tools/list")).toHaveLength(1);
	});

	it("sends what the environment, or the option, has for its secrets", async () => {
		server.handle(both);
		const run = async (options: Partial<LocalAgentOptions>) => {
			const { ports } = callingModel(...calls);
			await createLocalAgent(graph({ auth: "desk-key" }), { ports, tools: { clock }, ...options }).run({
				input: "",
			});
			return [...new Set(server.received.splice(0).map(({ headers }) => headers.authorization))];
		};
		vi.stubEnv("STEMMA_TOOL_DESK_KEY", "of-the-environment");
		expect(await run({})).toEqual(["Bearer of-the-environment"]);
		expect(await run({ secrets: { "desk-key": "of-the-option" } })).toEqual(["Bearer of-the-option"]);
		expect(await run({ secrets: async (name) => `${name}-value` })).toEqual(["Bearer desk-key-value"]);
	});

	it("tells before anything is paid for which secret is missing", async () => {
		server.handle(both);
		const { ports, requests } = callingModel(...calls);
		const run = createLocalAgent(graph({ auth: "desk-key" }), { ports, tools: { clock }, secrets: {} }).run({
			input: "",
		});
		await expect(run).rejects.toMatchObject({
			code: "secret_missing",
			message: 'No tool for "refund": There is no value for the secret "desk-key".',
			hint: expect.stringMatching(/^Give it in the option `secrets`/),
		});
		expect(requests).toEqual([]);
		expect(server.received).toEqual([]);
	});

	it("fixes no argument that the server's tool does not have", async () => {
		server.handle(both);
		const { ports, requests } = callingModel(...calls);
		const run = createLocalAgent(graph({ account: "acount" }), { ports, tools: { clock } }).run({
			input: "",
		});
		await expect(run).rejects.toMatchObject({
			code: "preset_arguments_invalid",
			message: expect.stringContaining(
				'there is no "acount" (the node "refund", the tool "refund_order"; did you mean "account"?)',
			),
			hint: 'Look at the tool\'s own arguments: "order", "account".',
		});
		expect(requests).toEqual([]);
	});

	it("goes through the ports that were given, and through them alone", async () => {
		server.handle(both);
		const { ports } = callingModel(...calls);
		const givenSecrets: LocalPorts = {
			...ports,
			tools: {
				describe: async () => ({ parameters: { type: "object" } }),
				call: async ({ tool, server: url }) => `${tool} ${url !== undefined}`,
			},
			agents: { run: async ({ agent: called }) => ({ output: `asked ${"url" in called}` }) },
		};
		const result = await createLocalAgent(graph({ auth: "none" }), { ports: givenSecrets }).run({
			input: "",
		});
		expect(result.output).toBe("refund_order true | clock false | asked true");
		expect(server.received).toEqual([]);
	});

	it("stops what it has called when the run is cancelled", async () => {
		const slow = createMcpHandler({
			era: "modern",
			tools: [{ name: "refund_order", inputSchema: { type: "object", properties: { account: {} } } }],
			call: () => new Promise(() => undefined),
		});
		const endless = createA2aHandler({ events: [submitted, "hold"] });
		server.handle((request, response) => (request.path === "/mcp" ? slow : endless)(request, response));
		const { ports } = callingModel(...calls);
		const stream = createLocalAgent(graph(), { ports, tools: { clock } }).stream({ input: "" });
		const abortedAfter = (method: string) => server.received.filter(({ rpc }) => rpc.method === method);
		await expect
			.poll(() => abortedAfter("tools/call").length + abortedAfter("SendStreamingMessage").length)
			.toBe(2);
		await new Promise((resolve) => setTimeout(resolve, 50));
		stream.cancel();
		expect((await stream.result()).status).toBe("cancelled");
		await expect.poll(() => abortedAfter("tools/call")[0]?.isAborted).toBe(true);
		await expect.poll(() => abortedAfter("CancelTask").length).toBe(1);
	});

	it("shows the text of another agent as its own, where that agent has the last word", async () => {
		server.handle(
			createA2aHandler({
				events: [
					submitted,
					artifact("a", [{ text: "It is " }]),
					artifact("a", [{ text: "legal." }], true),
					status("COMPLETED"),
				],
			}),
		);
		const { ports } = callingModel();
		const local = createLocalAgent(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "legal", kind: "remote", url: server.url },
				],
				edges: [{ from: "desk", to: "legal", mode: "then" }],
			},
			{ ports },
		);
		const texts: string[] = [];
		const stream = local.stream({ input: "May we?" });
		for await (const event of stream) if (event.type === "text.delta" && event.final) texts.push(event.text);
		expect(texts).toEqual(["It is ", "legal."]);
		expect(await stream.text()).toBe("It is legal.");
	});

	it("uses the `fetch` that it is given", async () => {
		server.handle(both);
		const paths: string[] = [];
		const { ports } = callingModel(...calls);
		const fetch: LocalAgentOptions["fetch"] = (url, init) => {
			paths.push(new URL(url).pathname);
			return globalThis.fetch(url, init as RequestInit) as never;
		};
		await createLocalAgent(graph(), { ports, tools: { clock }, fetch }).run({ input: "" });
		expect(new Set(paths)).toEqual(new Set(["/mcp", "/.well-known/agent-card.json", "/a2a"]));
	});
});

describe("what is missing or in vain", () => {
	const { ports } = callingModel();
	const stored: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "legal", kind: "remote", agentId: "ag_legal" },
		],
		edges: [{ from: "desk", to: "legal" }],
	};

	it("is a service, for its agents", () => {
		const make = () => createLocalAgent(stored, { ports });
		expect(make).toThrow(ConfigurationError);
		expect(make).toThrow('`agents`: "legal" runs an agent of a service');
		expect(make).toThrow(expect.objectContaining({ hint: expect.stringContaining("servicePorts(client)") }));
		const client = createClient({ clientKey: "ck_1_secret", baseUrl: "https://stemma.example" });
		expect(() => createLocalAgent(stored, { ports: servicePorts(client) })).not.toThrow();
	});

	it("are secrets that no port asks for", () => {
		const secrets = { key: "value" };
		const make = (givenSecrets: LocalPorts) => () =>
			createLocalAgent(graph({ auth: "key" }), {
				ports: { ...ports, ...givenSecrets },
				...(givenSecrets.tools === undefined ? { tools: { clock } } : {}),
				secrets,
			});
		expect(make({})).not.toThrow();
		expect(make({ agents: remoteAgents() })).not.toThrow();
		expect(make({ agents: remoteAgents(), tools: mcpTools() })).toThrow(
			/^`secrets` was given, and `ports\.\w+`, which the node "\w+" needs/,
		);
	});

	it("are two secrets in one variable", () => {
		const two: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "a", kind: "tool", tool: "a", server: "https://a.example", auth: { secret: "my-key" } },
				{ id: "b", kind: "remote", url: "https://b.example", auth: { secret: "my_key" } },
			],
		};
		expect(() => createLocalAgent(two, { ports })).toThrow("STEMMA_TOOL_MY_KEY");
	});
});
