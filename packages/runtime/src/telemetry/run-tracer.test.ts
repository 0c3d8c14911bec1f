import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
	BasicTracerProvider,
	InMemorySpanExporter,
	SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { ChatEvent, ChatModel } from "@stemma/core";
import { defineTool, type LocalPorts } from "@stemma/local";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestRuntime, scriptedPorts } from "../test-support/scripted";
import { startSpanExport } from "./start-export";

const agents = {
	desk: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "stock", kind: "tool", tool: "stock" },
		],
		edges: [{ from: "desk", to: "stock" }],
	},
};

/** Calls `stock` once, and says what it gave. */
const model: ChatModel = {
	provider: "scripted",
	model: "script-1",
	vendorHost: "models.example",
	generate: () => Promise.reject(new Error("not used")),
	async *stream({ messages }): AsyncGenerator<ChatEvent> {
		const isLast = messages.at(-1)?.role === "tool";
		const call = { id: "call_1", name: "stock", arguments: '{"item":"s3cret lamp"}' };
		const usage = { inputTokens: 10, outputTokens: 5 };
		yield {
			type: "finish",
			reply: isLast
				? { text: "There are 3.", toolCalls: [], finishReason: "stop", usage }
				: { text: "", toolCalls: [call], finishReason: "tool_calls", usage },
		};
	},
};
const ports: LocalPorts = { models: { resolve: () => ({ model, payer: "workspace", reason: "Set." }) } };
const parameters = { type: "object", properties: { item: { type: "string" } } } as const;
const stock = defineTool({ parameters, run: () => 3 });
const broken = defineTool({
	parameters,
	run: () => {
		throw new Error("s3cret lamp is gone");
	},
});

function inMemory() {
	const exporter = new InMemorySpanExporter();
	const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
	return { exporter, tracerProvider };
}

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

describe("spans", () => {
	it("tell of the run, its nodes, tools and model calls, as part of the request's trace", async () => {
		const { exporter, tracerProvider } = inMemory();
		const { post } = await createTestRuntime({ agents, ports, tools: { stock }, tracerProvider });
		const result = await (await post("/run/desk", { input: "s3cret?" }, { traceparent })).json();
		expect(result.status).toBe("completed");
		const spans = exporter.getFinishedSpans();
		const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
		const tree = spans.map(({ name, parentSpanContext }) => [
			name,
			byId.get(parentSpanContext?.spanId ?? "")?.name ?? parentSpanContext?.spanId,
		]);
		expect(tree).toEqual([
			["execute_tool stock", "invoke_agent desk"],
			["invoke_agent desk", "invoke_agent desk"],
			["chat script-1", "invoke_agent desk"],
			["chat script-1", "invoke_agent desk"],
			["invoke_agent desk", "b7ad6b7169203331"],
		]);
		expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
		const [tool, , chat] = spans;
		const run = spans.at(-1);
		expect(tool?.attributes).toMatchObject({
			"gen_ai.operation.name": "execute_tool",
			"gen_ai.tool.name": "stock",
			"gen_ai.tool.call.id": "call_1",
		});
		expect(chat?.attributes).toMatchObject({
			"gen_ai.operation.name": "chat",
			"gen_ai.provider.name": "scripted",
			"gen_ai.request.model": "script-1",
			"gen_ai.usage.input_tokens": 10,
			"gen_ai.usage.output_tokens": 5,
			"server.address": "models.example",
		});
		expect(run?.attributes).toMatchObject({
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.agent.id": "desk",
			"gen_ai.usage.input_tokens": 20,
			"stemma.run.id": result.run_id,
			"stemma.run.status": "completed",
		});
		const written = JSON.stringify(
			spans.map(({ attributes, events, status }) => [attributes, events, status]),
		);
		expect(written).not.toContain("s3cret");
	});

	it("have the errors, and what was said only where it is wanted", async () => {
		for (const traceContent of [false, true]) {
			const { exporter, tracerProvider } = inMemory();
			const tools = { stock: broken };
			const { post } = await createTestRuntime({ agents, ports, tools, tracerProvider, traceContent });
			await post("/run/desk", { input: "s3cret?" });
			const tool = exporter.getFinishedSpans().find(({ name }) => name === "execute_tool stock");
			expect(tool?.status).toEqual({ code: 2, message: "tool_failed" });
			expect(tool?.attributes["error.type"]).toBe("tool_failed");
			const written = JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes));
			expect(written.includes("s3cret lamp")).toBe(traceContent);
		}
	});

	it("are made for nothing where nobody is registered, and for no trace that is malformed", async () => {
		const { exporter, tracerProvider } = inMemory();
		const { post } = await createTestRuntime({ tracerProvider });
		for (const bad of ["", "00-0-0-0", `00-${"0".repeat(32)}-b7ad6b7169203331-01`, "x".repeat(9999)])
			expect((await post("/run/desk", { input: "hi" }, { traceparent: bad })).status).toBe(200);
		const roots = exporter.getFinishedSpans().filter(({ name }) => name === "invoke_agent desk");
		expect(roots.filter(({ parentSpanContext }) => parentSpanContext === undefined)).toHaveLength(4);
	});
});

describe("startSpanExport", () => {
	afterEach(() => vi.unstubAllEnvs());

	it("sends them to a collector by OTLP, at the latest when it is stopped", async () => {
		const received: { readonly url: string | undefined; readonly json: string }[] = [];
		const collector = createServer(async (request, response) => {
			let json = "";
			for await (const chunk of request) json += chunk;
			received.push({ url: request.url, json });
			response.writeHead(200, { "content-type": "application/json" }).end("{}");
		});
		await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
		const { port } = collector.address() as AddressInfo;
		vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
		vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=te%20st");
		const spans = await startSpanExport({ name: "stemma-runtime", version: "1.2.3" });
		const { post } = await createTestRuntime({ tracerProvider: spans.tracerProvider });
		await post("/run/desk", { input: "hi" }, { traceparent });
		await spans.stop();
		collector.close();
		expect(received.map(({ url }) => url)).toEqual(["/v1/traces"]);
		const [{ resource, scopeSpans }] = JSON.parse(received[0]?.json ?? "").resourceSpans;
		const attributes = resource.attributes.map((one: { key: string; value: { stringValue: string } }) => [
			one.key,
			one.value.stringValue,
		]);
		expect(Object.fromEntries(attributes)).toEqual({
			"service.name": "stemma-runtime",
			"service.version": "1.2.3",
			"deployment.environment.name": "te st",
		});
		expect(scopeSpans[0].spans).toContainEqual(
			expect.objectContaining({ name: "invoke_agent desk", traceId, parentSpanId: "b7ad6b7169203331" }),
		);
	});

	it("holds nothing up where the collector is dead", async () => {
		const silent = createServer(() => undefined);
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const { port } = silent.address() as AddressInfo;
		vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
		const spans = await startSpanExport({ name: "stemma-runtime", version: "1.2.3" });
		const { post } = await createTestRuntime({
			ports: scriptedPorts(),
			tracerProvider: spans.tracerProvider,
		});
		const startedAt = Date.now();
		for (let index = 0; index < 50; index++)
			expect((await (await post("/run/desk", { input: "hi" })).json()).status).toBe("completed");
		expect(Date.now() - startedAt).toBeLessThan(4_000);
		await spans.stop();
		expect(Date.now() - startedAt).toBeLessThan(12_000);
		silent.closeAllConnections();
		silent.close();
	}, 20_000);
});
