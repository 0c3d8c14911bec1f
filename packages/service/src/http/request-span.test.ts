import {
	BasicTracerProvider,
	InMemorySpanExporter,
	SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { openTracer } from "@stemma/telemetry";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCallerReceipts } from "../answering/caller-receipts";
import { createRedactor } from "../redaction/redactor";
import type { Workspace } from "../workspaces/workspace";
import { requireCaller } from "./auth/authenticate";
import { createTestApp, readError, type TestApp } from "./test-support/test-app";
import { toScope } from "./to-scope";

const SECRET = "a-secret-of-a-workspace";
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

let exporter: InMemorySpanExporter;
let provider: BasicTracerProvider;
let testApp: TestApp;

beforeEach(() => {
	exporter = new InMemorySpanExporter();
	provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
	const startSpan = openTracer(provider, { name: "test", version: "1" });
	testApp = createTestApp({ startSpan, redactor: createRedactor([SECRET]) });
});

afterEach(() => provider.shutdown());

const onlySpan = () => {
	const [span, ...others] = exporter.getFinishedSpans();
	if (span === undefined || others.length > 0) throw new Error("There is not one span.");
	return span;
};

describe("the path of a span", () => {
	it("holds no secret and is cut", async () => {
		await testApp.app.request(`/${SECRET}/${"x".repeat(1000)}`);
		const path = String(onlySpan().attributes["url.path"]);
		expect(path).not.toContain(SECRET);
		expect(path).toHaveLength(200);
	});
});

describe("a claim of usage", () => {
	const readState = async (authorization: string): Promise<string> => {
		const { app } = testApp;
		app.get("/state", requireCaller({ scopes: [], clientKeys: true }), (context) =>
			context.text(context.get("span")?.traceContext.tracestate ?? ""),
		);
		const headers = { authorization, traceparent: TRACEPARENT, tracestate: "stemma=usage,a=b" };
		return (await app.request("/state", { headers })).text();
	};

	it("is believed of servers", async () => {
		expect(await readState("Bearer server")).toBe("stemma=usage,a=b");
	});

	it("is not believed of client keys", async () => {
		expect(await readState("Bearer key")).toBe("a=b");
	});
});

describe("a request whose client leaves", () => {
	/** As `@hono/node-server` aborts: with a text. */
	async function leave(authorization: string): Promise<Response> {
		const { app, workspace } = testApp;
		Object.assign(workspace, { runs: { log: { flushed: async () => undefined } } } as unknown as Workspace);
		const controller = new AbortController();
		app.get("/slow", requireCaller({ scopes: [], clientKeys: true }), async (context) => {
			const { signal } = context.req.raw;
			const work = new Promise<never>((_, reject) => {
				signal.addEventListener("abort", () => reject(signal.reason));
			});
			controller.abort("Client connection prematurely closed.");
			await work.catch(createCallerReceipts(toScope(context)).rejectForCaller);
			return context.text("late");
		});
		return await app.request("/slow", { headers: { authorization }, signal: controller.signal });
	}

	it.each(["Bearer server", "Bearer key"])(
		"is cancelled, and no failure of the service: %s",
		async (credential) => {
			const response = await leave(credential);
			expect([response.status, (await readError(response)).code]).toEqual([409, "cancelled"]);
			const { attributes, status } = onlySpan();
			expect(attributes["http.response.status_code"]).toBe(409);
			expect([status.code, attributes["error.type"]]).toEqual([0, undefined]);
			expect(testApp.writeMetrics()).toMatch(
				/stemma_http_requests_total\{[^}]*route="\/slow",status="409"\} 1/,
			);
			expect(testApp.log.map(({ msg }) => msg)).toEqual(["request"]);
		},
	);

	it("is the same where nothing catches what was thrown", async () => {
		const controller = new AbortController();
		testApp.app.get("/raw", (context) => {
			controller.abort("gone");
			throw context.req.raw.signal.reason;
		});
		const response = await testApp.app.request("/raw", { signal: controller.signal });
		expect([response.status, (await readError(response)).code]).toEqual([409, "cancelled"]);
		expect(onlySpan().attributes["http.response.status_code"]).toBe(409);
	});
});

it("what is thrown and is no error is counted, logged and traced as others are", async () => {
	testApp.app.get("/text", () => {
		throw "a text";
	});
	const response = await testApp.app.request("/text");
	expect([response.status, (await readError(response)).code]).toEqual([500, "internal_error"]);
	expect(onlySpan().attributes["error.type"]).toBe("500");
	expect(testApp.writeMetrics()).toMatch(/stemma_http_requests_total\{[^}]*route="\/text",status="500"\} 1/);
	expect(testApp.log.map(({ msg }) => msg)).toEqual(["request failed", "request"]);
});
