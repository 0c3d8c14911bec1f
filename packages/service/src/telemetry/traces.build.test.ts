import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createClient } from "@stemma/client";
import { startRuntime } from "@stemma/runtime";
import { type RunningService, resolveConfiguration, startService } from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "@stemma/simulators/otlp-receiver";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

const METRICS_TOKEN = "a-token-of-the-operators";
const CALLER = "b7ad6b7169203331";
/** Each test has a trace of its own. */
let trace = "0".repeat(31).concat("1");
const toTraceparent = (): string => `00-${trace}-${CALLER}-01`;

let receiver: OtlpReceiver;
let vendor: OpenAiSimulator;
let service: RunningService;
let folder: string;
let client: ReturnType<typeof createClient>;
let credentials: { client_id: string; client_secret: string };
let knowledgeBase: string;

beforeAll(async () => {
	receiver = await startOtlpReceiver();
	vendor = await startOpenAiSimulator({ behaviour: () => ({ kind: "reply", text: "At nine [1]." }) });
	folder = await mkdtemp(join(tmpdir(), "stemma-traces-"));
	vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
	vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "100");
	service = await startService(
		resolveConfiguration({
			content: {
				data: folder,
				listen: { port: 0 },
				log: { level: "silent" },
				metrics: { token: { value: METRICS_TOKEN } },
				providers: {
					main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "gpt-test" },
				},
				chat: "main",
				embeddings: { base_url: vendor.baseUrl, model: "embed-test" },
			},
		}),
	);
	const { client_id, client_secret } = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	credentials = { client_id, client_secret };
	client = createClient({
		baseUrl: service.url,
		clientId: client_id,
		clientSecret: client_secret,
	});
	knowledgeBase = (await send<{ id: string }>("POST", "/v1/knowledge-bases", { name: "Secret-Office" })).id;
	const path = `/v1/knowledge-bases/${knowledgeBase}`;
	await send("POST", `${path}/documents`, { text: "The office opens at nine." });
	await vi.waitFor(async () => {
		const { documents } = await send<{ documents: { ready: number } }>("GET", path);
		expect(documents.ready).toBe(1);
	}, 30_000);
	for (const [slug, graph] of Object.entries(AGENTS(knowledgeBase)))
		await send("POST", "/v1/agents", { slug, graph });
});

afterAll(async () => {
	await service.close();
	vi.unstubAllEnvs();
	receiver.close();
	await vendor.close();
	await rm(folder, { recursive: true });
});

beforeEach(() => {
	trace = randomBytes(16).toString("hex");
});

const ownSpans = (): readonly ReceivedSpan[] => receiver.spans.filter(({ traceId }) => traceId === trace);

const AGENTS = (kb: string) => ({
	desk: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "books", kind: "knowledge", knowledgeBases: [kb] },
		],
		edges: [{ from: "desk", to: "books" }],
	},
	front: {
		nodes: [
			{ id: "clerk", kind: "coordinator" },
			{ id: "inner", kind: "remote", agentId: "desk" },
		],
		edges: [{ from: "clerk", to: "inner" }],
	},
});

const send = <Body extends object>(method: "GET" | "POST", path: string, json?: object): Promise<Body> =>
	client.request<Body>({
		method,
		path,
		...(json && { json }),
		options: { headers: { traceparent: toTraceparent() } },
	});

async function getToken(): Promise<string> {
	const body = new URLSearchParams({ ...credentials, grant_type: "client_credentials" });
	const response = await fetch(`${service.url}/oauth/token`, { method: "POST", body });
	return ((await response.json()) as { access_token: string }).access_token;
}

async function createKey(origin: string): Promise<string> {
	const key = { name: "App", origins: [origin], models: true };
	return (await send<{ client_key: string }>("POST", "/v1/client-keys", key)).client_key;
}

const matchesTraceparent = (name: string, input: string) =>
	({ kind: "reply", text: "", toolCalls: [{ name, arguments: JSON.stringify({ input }) }] }) as const;

/** The spans since the test began, once there is one of this name. */
async function spansWith(name: string): Promise<readonly ReceivedSpan[]> {
	await expect.poll(() => ownSpans().map((span) => span.name)).toContain(name);
	return ownSpans();
}

const only = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
	const found = spans.filter((span) => span.name === name);
	if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} spans are named ${name}.`);
	return found[0];
};

function expectInside(inner: ReceivedSpan, outer: ReceivedSpan): void {
	expect([inner.parentSpanId, inner.traceId]).toEqual([outer.spanId, outer.traceId]);
	expect(inner.start).toBeGreaterThanOrEqual(outer.start);
	expect(inner.end).toBeLessThanOrEqual(outer.end);
}

describe("spans of the service", () => {
	it("are part of the trace of the request: a question with its search and its answer", async () => {
		await send("POST", "/v1/ask", { question: "When does it open?", knowledge_base_ids: [knowledgeBase] });
		const spans = await spansWith("POST /v1/ask");
		const request = only(spans, "POST /v1/ask");
		expect([request.kind, request.parentSpanId, request.traceId]).toEqual(["server", CALLER, trace]);
		expect(request.attributes).toMatchObject({
			"http.request.method": "POST",
			"http.route": "/v1/ask",
			"http.response.status_code": 200,
		});
		const retrieval = only(spans, "retrieval");
		expect(retrieval.kind).toBe("client");
		expectInside(retrieval, request);
		const embeddings = only(spans, "embeddings embed-test");
		expectInside(embeddings, retrieval);
		expect(embeddings.attributes).toMatchObject({
			"gen_ai.operation.name": "embeddings",
			"gen_ai.provider.name": "openai",
			"server.address": "127.0.0.1",
			"server.port": Number(new URL(vendor.baseUrl).port),
		});
		const chats = spans.filter(({ name }) => name === "chat gpt-test");
		expect(chats.length).toBeGreaterThan(0);
		for (const chat of chats) {
			expect(chat.kind).toBe("client");
			expect(chat.attributes["gen_ai.usage.input_tokens"]).toBeGreaterThan(0);
			expect([request.spanId, retrieval.spanId]).toContain(chat.parentSpanId);
		}
		expect(request.service).toBe("stemma-service");
		expect(receiver.text()).not.toContain("When does it open?");
	});

	it("have each call of a run within its node, and the run of another agent within the call", async () => {
		vendor.enqueue(matchesTraceparent("inner", "When?"), matchesTraceparent("books", "open"));
		const path = "/v1/agents/front/run";
		const result = await send<{ status: string; run_id: string }>("POST", path, { input: "When?" });
		expect(result.status).toBe("completed");
		const spans = await spansWith("POST /v1/agents/:id/run");
		const request = only(spans, "POST /v1/agents/:id/run");
		const front = only(spans, "invoke_agent front");
		expectInside(front, request);
		expect(front.attributes["stemma.run.id"]).toBe(result.run_id);
		const call = only(spans, "invoke_agent inner");
		expect(call.kind).toBe("client");
		expectInside(call, only(spans, "invoke_agent clerk"));
		const nested = spans.find(
			(span) => span.name === "invoke_agent desk" && span.parentSpanId === call.spanId,
		);
		expect(nested?.attributes["stemma.run.id"]).toBeDefined();
		const node = spans.find(
			(span) => span.name === "invoke_agent desk" && span.parentSpanId === nested?.spanId,
		);
		const retrieval = only(spans, "retrieval");
		if (node === undefined) throw new Error("The node has no span.");
		expectInside(retrieval, node);
		expectInside(only(spans, "embeddings embed-test"), retrieval);
		const chats = spans.filter(({ name }) => name === "chat gpt-test");
		expect(chats).toHaveLength(4);
		for (const [index, chat] of chats.sort((one, other) => one.start - other.start).entries())
			expect(chat.parentSpanId).toBe(
				index === 0 || index === 3 ? only(spans, "invoke_agent clerk").spanId : node.spanId,
			);
	});

	it("of a stream end with the stream", async () => {
		const messages = [{ role: "user", content: "hi" }];
		vendor.enqueue({ kind: "reply", text: "One two three four.", pauseMs: 20 });
		await send("POST", "/v1/chat/completions", { model: "default", messages, stream: true }).catch(
			() => undefined,
		);
		const spans = await spansWith("POST /v1/chat/completions");
		expectInside(only(spans, "chat gpt-test"), only(spans, "POST /v1/chat/completions"));
	});

	it.each([
		["a server", "/v1/chat/completions", { model: "default", messages: [{ role: "user", content: "hi" }] }],
		[
			"a client key",
			"/v1/chat/completions",
			{ model: "default", messages: [{ role: "user", content: "hi" }] },
		],
		["a server", "/v1/embeddings", { model: "default", input: "hi" }],
		["a client key", "/v1/embeddings", { model: "default", input: "hi" }],
	])("of %s that leaves %s are no errors", async (who, path, body) => {
		const origin = "https://app.example";
		const key = who === "a server" ? undefined : await createKey(origin);
		vendor.enqueue({ kind: "silence" });
		const { length } = vendor.requests;
		const controller = new AbortController();
		const response = fetch(`${service.url}${path}`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${key ?? (await getToken())}`,
				...(key !== undefined && { origin }),
				"content-type": "application/json",
				traceparent: toTraceparent(),
			},
			body: JSON.stringify(body),
			signal: controller.signal,
		});
		await Promise.race([response, expect.poll(() => vendor.requests.length).toBeGreaterThan(length)]);
		controller.abort();
		await expect(response).rejects.toThrow();
		const request = only(await spansWith(`POST ${path}`), `POST ${path}`);
		expect([request.isError, request.attributes["http.response.status_code"]]).toEqual([false, 409]);
	});

	it("have the errors", async () => {
		vendor.enqueue({ kind: "failure", status: 401 });
		const messages = [{ role: "user", content: "hi" }];
		// Without the client, which tries again.
		const response = await fetch(`${service.url}/v1/chat/completions`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${await getToken()}`,
				"content-type": "application/json",
				traceparent: toTraceparent(),
			},
			body: JSON.stringify({ model: "default", messages }),
		});
		expect(response.status).toBe(502);
		const spans = await spansWith("POST /v1/chat/completions");
		const chat = only(spans, "chat gpt-test");
		expect([chat.isError, chat.attributes["error.type"]]).toEqual([true, "invalid_credential"]);
		expect(only(spans, "POST /v1/chat/completions").attributes["error.type"]).toBe("502");
	});
});

describe("a run of the runtime", () => {
	it("is in one trace with what the service does for it, and the tokens are there once", async () => {
		const exporter = new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` });
		const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
		const runtime = await startRuntime({ client, agents: AGENTS(knowledgeBase), port: 0, tracerProvider });
		vendor.enqueue(matchesTraceparent("books", "open"));
		const response = await fetch(`${runtime.url}/run/desk`, {
			method: "POST",
			headers: { "content-type": "application/json", traceparent: toTraceparent() },
			body: JSON.stringify({ input: "When?" }),
		});
		const { receipt } = (await response.json()) as { receipt: { input_tokens: number }[] };
		await runtime.close(0);
		await tracerProvider.forceFlush();
		const isServed = ({ kind, name }: ReceivedSpan): boolean => kind === "server" && /search|chat/.test(name);
		await expect.poll(() => ownSpans().filter(isServed)).toHaveLength(3);
		const spans = ownSpans();
		const byId = new Map(spans.map((span) => [span.spanId, span]));
		for (const span of spans.filter(isServed)) {
			const parent = byId.get(span.parentSpanId);
			expect(parent?.name).toMatch(/^(chat gpt-test|retrieval)$/);
			expect([parent?.scope, span.scope]).toEqual(["@stemma/runtime", "@stemma/service"]);
		}
		const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
		expect(new Set(spans.filter(({ name }) => name.startsWith("chat")).map(({ scope }) => scope)).size).toBe(
			2,
		);
		expect(sum(spans.map(({ attributes }) => Number(attributes["gen_ai.usage.input_tokens"] ?? 0)))).toBe(
			sum(receipt.map(({ input_tokens }) => input_tokens)),
		);
	});
});

describe("GET /metrics", () => {
	const scrape = (headers: Readonly<Record<string, string>> = { authorization: `Bearer ${METRICS_TOKEN}` }) =>
		fetch(`${service.url}/metrics`, { headers });

	it("is for those who have the operator's token", async () => {
		expect((await scrape({})).status).toBe(401);
		expect((await scrape({ authorization: "Bearer wrong" })).status).toBe(401);
		const response = await scrape();
		expect([response.status, response.headers.get("content-type")]).toEqual([
			200,
			"text/plain; version=0.0.4; charset=utf-8",
		]);
	});

	it("counts requests, runs and calls, and names nothing of a workspace", async () => {
		await send("POST", "/v1/agents/desk/run", { input: "When?" });
		await send("POST", "/v1/agents/no-such-agent/run", { input: "When?" }).catch(() => undefined);
		const text = await (await scrape()).text();
		const route = 'method="POST",route="/v1/agents/:id/run"';
		expect(text).toMatch(new RegExp(`stemma_http_requests_total\\{${route},status="200"\\} [1-9]`));
		expect(text).toMatch(new RegExp(`stemma_http_requests_total\\{${route},status="404"\\} 1`));
		expect(text).toMatch(new RegExp(`stemma_http_request_duration_seconds_count\\{${route}\\} [2-9]`));
		expect(text).toMatch(/stemma_runs_ended_total\{status="completed"\} [1-9]/);
		const call = 'provider="openai-compatible",stage="answer",payer="deployment"';
		expect(text).toMatch(new RegExp(`stemma_model_calls_total\\{${call},outcome="completed"\\} [1-9]`));
		expect(text).toMatch(new RegExp(`stemma_model_calls_total\\{${call},outcome="failed"\\} [1-9]`));
		expect(text).toMatch(/stemma_model_calls_total\{provider="openai-compatible",stage="index",[^}]*\} 1/);
		expect(text).toMatch(/stemma_model_tokens_total\{[^}]*direction="input"\} [1-9]/);
		expect(text).toMatch(/stemma_ingest_queue_documents 0\n/);
		expect(text).toMatch(/stemma_event_loop_delay_seconds\{quantile="0.99"\} \d/);
		for (const secret of [
			"desk",
			"gpt-test",
			"embed-test",
			knowledgeBase,
			"Secret-Office",
			credentials.client_id,
		])
			expect(text).not.toContain(secret);
	});
});
