// A program of a user that speaks MCP and A2A, for its types alone: it is compiled as `program.mts` is, and never run.
import { createClient, isStemmaError } from "@stemma/client";
import { A2aError, type A2aStreamResponse, a2a, createA2aClient, readA2aText } from "@stemma/client/a2a";
import {
	createMcpClient,
	createMcpLock,
	McpError,
	type McpLock,
	type McpOutcome,
	mcp,
} from "@stemma/client/mcp";
import { type AgentGraph, defineAgent } from "@stemma/core";
import { createLocalAgent, mcpTools, remoteAgents, servicePorts } from "@stemma/local";

const client = createClient({ clientKey: "ck_1_secret" });

export async function readDocuments(signal: AbortSignal): Promise<string> {
	const service = mcp(client, { protocol: "modern" });
	const { passages, more_knowledge_bases: hasMore } = await service.search({ query: "refunds", top_k: 3 });
	const { answer, citations } = await service.ask(
		{ question: "?", knowledge_base_ids: ["kb_1"] },
		{ signal, onProgress: ({ progress, message = "" }) => `${progress.toFixed()} ${message}` },
	);
	const { data } = await service.listKnowledgeBases();
	// @ts-expect-error: documents are those of a knowledge base
	await service.listDocuments({});
	// @ts-expect-error: there are two eras
	mcp(client, { protocol: "ancient" });
	const titles = [...passages, ...citations].map(({ title }) => title);
	return [answer, hasMore, ...titles, ...data.map(({ name }) => name)].join();
}

/** As `stemma mcp types` writes them. */
type WeatherTools = {
	readonly forecast: {
		readonly arguments: { readonly city: string };
		readonly result: { readonly celsius: number };
	};
};

export async function callWeather(pin: McpLock): Promise<number | undefined> {
	const weather = createMcpClient<WeatherTools>({
		url: "https://mcp.example/mcp",
		token: async () => "token",
		pin,
	});
	// @ts-expect-error: no such tool
	await weather.callTool("forecasts");
	// @ts-expect-error: a forecast is that of a city
	await weather.callTool("forecast", { town: "Rome" });
	let outcome: McpOutcome<{ readonly celsius: number }> = await weather.callTool("forecast", {
		city: "Rome",
	});
	while (outcome.status === "input_required")
		outcome = await outcome.continue({ city: { action: "accept" } });
	return outcome.structuredContent?.celsius;
}

export async function pinTools(): Promise<McpLock> {
	const { tools, ttlMs } = await createMcpClient({ url: "https://mcp.example/mcp" }).listTools();
	return createMcpLock(ttlMs === 0 ? [] : tools);
}

export async function talk(): Promise<string> {
	const desk = a2a(client)("desk");
	const stream = desk.stream("How long do refunds take?", { historyLength: 0 });
	const states: string[] = [];
	for await (const event of stream) states.push(describe(event));
	const answer = await desk.send({ parts: [{ data: { order: 7 } }] });
	const text = readA2aText(answer);
	for await (const { id } of desk.listTasks({ pageSize: 10 })) await desk.cancelTask(id);
	const { status, requestId } = await desk.getTask(stream.taskId ?? "");
	// @ts-expect-error: a message is text or parts
	desk.stream({ text: "?" });
	// @ts-expect-error: no such binding
	createA2aClient({ url: "https://agent.example", binding: "GRPC" });
	return [await stream.text(), text, status.state, requestId, ...states].join();
}

function describe(event: A2aStreamResponse): string {
	if ("task" in event) return event.task.status.state;
	if ("message" in event) return event.message.role;
	// @ts-expect-error: an artifact may be told of
	if (!("artifactUpdate" in event)) return event.statusUpdate.artifact;
	return event.artifactUpdate.artifact.artifactId;
}

export function explain(error: unknown): string {
	if (McpError.is(error)) return `${error.code} ${error.rpcCode?.toFixed()}`;
	if (A2aError.is(error)) return `${error.reason} ${error.requestId}`;
	return isStemmaError(error) ? error.code : "";
}

const graph: AgentGraph = defineAgent({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{
			id: "weather",
			kind: "tool",
			server: "https://mcp.example/mcp",
			tool: "forecast",
			auth: { secret: "w" },
		},
		{ id: "partner", kind: "remote", url: "https://agent.example" },
	],
	edges: [
		{ from: "desk", to: "weather" },
		{ from: "desk", to: "partner", mode: "then" },
	],
});

const { models } = servicePorts(client, { secrets: { w: "value" } });
const secret = async (name: string, url: string) =>
	url.startsWith("https://mcp.example/") ? name : undefined;
export const agents = [
	createLocalAgent(graph, { ports: { models }, secrets: secret }),
	createLocalAgent(graph, {
		ports: { models, tools: mcpTools({ secret }), agents: remoteAgents({ client, secret }) },
	}),
];
