// A program of a user, for its types alone: it is compiled as a module, as CommonJS and for bundlers, and never run.
import {
	type AgentRunStream,
	type Answer,
	ApiError,
	AuthenticationError,
	agents,
	type ClientOptions,
	ConfigurationError,
	createClient,
	isStemmaError,
	NotFoundError,
	RunFailedError,
	runs,
	runtimeAgents,
	Stemma,
	search,
	type WireRunEvent,
} from "@stemma/client";
import { createFakeStemma, type FakeStemma } from "@stemma/client/testing";
import { type AgentGraph, AgentGraphError, type ChatModel, defineAgent, type RunResult } from "@stemma/core";
import { createSseReader } from "@stemma/core/sse";
import { createEngine, type EnginePorts } from "@stemma/engine";
import { createLocalAgent, servicePorts } from "@stemma/local";
import { resolveModel } from "@stemma/routing";
import { createBedrockModel, parseBedrockCredential } from "@stemma/routing/bedrock";
import { createExtractiveModel } from "@stemma/routing/extractive";
import { createOpenAiCompatibleModel } from "@stemma/routing/openai-compatible";
import { createCohereReranker } from "@stemma/routing/rerankers";

const baseUrl = "https://stemma.example";

export const server = new Stemma({ baseUrl, clientId: "cl_1", clientSecret: "secret" });
export const page: ClientOptions = { clientKey: "ck_1_secret", timeouts: { timeoutMs: 1000 }, maxRetries: 1 };

// @ts-expect-error: both credentials
new Stemma({ clientId: "cl_1", clientSecret: "secret", clientKey: "ck_1_secret" });
// @ts-expect-error: half a credential
new Stemma({ clientId: "cl_1" });
// @ts-expect-error: the other half
createClient({ clientSecret: "secret" });
// @ts-expect-error: none
createClient({ baseUrl });
// @ts-expect-error: a deadline by another name
createClient({ clientKey: "ck_1_secret", timeouts: { total: 1000 } });

const client = createClient(page);

export async function readRun(signal: AbortSignal): Promise<string> {
	const stream: AgentRunStream = agents(client).stream("desk", { input: { order: 7 } }, { signal });
	let text = "";
	for await (const event of stream) text += describe(event);
	const result: RunResult & { readonly requestId: string } = await stream.result();
	if (result.status === "completed") text += result.citations.map(({ title }) => title).join();
	// @ts-expect-error: no such status
	if (result.status === "done") text += result.output;
	const { run_id, run_token } = stream;
	if (run_id === undefined) return text;
	const record = await runs(client).get(run_id, { run_token });
	return `${text} ${record.last_seq.toFixed()}`;
}

function describe(event: WireRunEvent): string {
	switch (event.type) {
		case "text.delta":
			return event.final ? event.text : "";
		case "run.completed":
			return event.result.run_id;
		case "tool.called":
			// @ts-expect-error: text is another event's
			return event.text;
		default:
			return event.at;
	}
}

interface Order {
	readonly total: number;
}

/** As schema libraries make them. */
declare const orderSchema: {
	readonly "~standard": {
		readonly version: 1;
		readonly vendor: string;
		readonly validate: (value: unknown) => { readonly value: Order };
		readonly types?: { readonly input: unknown; readonly output: Order };
	};
};

export async function readOutput(): Promise<number> {
	const { output } = await server.agents.run("desk", { input: "?", output: orderSchema });
	const unchecked = await server.agents.run("desk", { input: "?" });
	// @ts-expect-error: any JSON
	unchecked.output.total;
	return output.total;
}

export async function answer(): Promise<Answer> {
	const { passages } = await search(client)({ query: "refunds", knowledge_base_ids: ["kb_1"] });
	const stream = server.ask.stream({ question: passages[0]?.title ?? "?", knowledge_base_ids: ["kb_1"] });
	for await (const event of stream) if (event.type === "ask.passages") return stream.answer();
	// @ts-expect-error: text is asked
	await server.ask({ question: 7 });
	return server.ask({ question: "?" });
}

export async function keep(file: Blob): Promise<readonly string[]> {
	const { id } = await server.knowledge.create({ name: "Questions" });
	const upload = await server.knowledge.documents.upload(id, { file, name: "page.md" });
	const ready = await server.knowledge.documents.waitUntilReady(id, upload, { pollMs: 100 });
	const names: string[] = [];
	for await (const { name } of server.knowledge.list({ limit: 10 })) names.push(name);
	return [...names, ...ready.map(({ status }) => status)];
}

export function explain(error: unknown): string {
	if (NotFoundError.is(error)) return `${error.status.toFixed()} ${error.requestId}`;
	if (AuthenticationError.is(error) || ConfigurationError.is(error)) return error.hint ?? error.code;
	if (RunFailedError.is(error)) return error.result.status;
	if (AgentGraphError.is(error)) return error.issues.map(({ code }) => code).join();
	if (ApiError.is(error)) return error.code;
	// @ts-expect-error: it may be anything
	if (!isStemmaError(error)) return error.message;
	return error.code;
}

export const graph: AgentGraph = defineAgent({
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer." },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["kb_1"] },
	],
	edges: [{ from: "desk", to: "faq", mode: "before" }],
});

defineAgent({
	nodes: [{ id: "desk", kind: "coordinator" }],
	// @ts-expect-error: there is no such node
	edges: [{ from: "desk", to: "nobody" }],
});

export async function runHere(): Promise<RunResult> {
	const model: ChatModel = createExtractiveModel();
	const ports = {
		...servicePorts(client),
		models: { resolve: () => ({ model, payer: "none", reason: "Built in." }) },
	} satisfies Partial<EnginePorts>;
	return createLocalAgent(graph, { ports }).run({ input: "?" });
}

export const runtime = runtimeAgents({ baseUrl: "http://127.0.0.1:4100", token: "token" });
export const models: readonly ChatModel[] = [
	createOpenAiCompatibleModel({ baseUrl: "https://api.example/v1", model: "writer", apiKey: "key" }),
	createBedrockModel({
		baseUrl: "https://bedrock-runtime.eu-west-1.amazonaws.com",
		model: "eu.example.writer-v1:0",
		credential: parseBedrockCredential("key"),
	}),
];
export const reranker = createCohereReranker({
	baseUrl: "https://api.example",
	model: "judge",
	apiKey: "key",
});
export const resolution = resolveModel({ deployment: { providers: {} } });
export const engine = createEngine;
export const events = createSseReader().push("data: 1\n\n");

export async function testApp(): Promise<number> {
	const fake: FakeStemma = createFakeStemma({ agents: { desk: "Hello." }, credential: "client_key" });
	fake.agents.on("desk", { output: { total: 7 } }, { error: { code: "model_failed", message: "It broke." } });
	const { status } = await fake.stemma.agents.run("desk", { input: "?" });
	// @ts-expect-error: no such credential
	createFakeStemma({ credential: "password" });
	return status === "completed" ? fake.calls.length : fake.unscripted.length;
}
