import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatModel } from "@stemma/core";
import { startRuntime } from "@stemma/runtime";
import { resolveConfiguration, startService } from "@stemma/service";
import { startOpenAiSimulator } from "@stemma/simulators/openai";

export interface ProbeRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: Buffer;
	/** Expected status. */
	readonly status: number;
}

/** A server behind a proxy. */
export interface Upstream {
	readonly url: string;
	/** Requests that are answered before their bodies are read. */
	readonly refused: readonly ProbeRequest[];
	/** Requests that are answered at once. */
	readonly quick: readonly ProbeRequest[];
	/** Requests whose answers take {@link SLOW_MS}. */
	readonly slow: readonly ProbeRequest[];
	close(): Promise<void>;
}

const SLOW_MS = 700;

/** More than Node reads ahead, and less than a connection holds: a proxy takes it for sent. */
const UNREAD = Buffer.alloc(150_000, 0x20);
/** More than the servers take. */
const TOO_LARGE = Buffer.alloc(3_000_000, 0x20);
const JSON_TYPE = { "content-type": "application/json" };

const get = (path: string, headers: ProbeRequest["headers"]): ProbeRequest => ({
	method: "GET",
	path,
	headers,
	status: 200,
});

const post = (
	path: string,
	headers: ProbeRequest["headers"],
	body: Buffer | object,
	status: number,
): ProbeRequest => ({
	method: "POST",
	path,
	headers: { ...JSON_TYPE, ...headers },
	body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
	status,
});

/** The service, with a slow vendor. */
export async function startUpstreamService(): Promise<Upstream> {
	const data = await mkdtemp(join(tmpdir(), "stemma-proxies-"));
	const vendor = await startOpenAiSimulator({
		behaviour: () => ({ kind: "reply", text: "Late.", delayMs: SLOW_MS }),
	});
	const content = {
		data,
		listen: { port: 0 },
		log: { level: "silent" as const },
		providers: {
			main: {
				provider: "openai-compatible" as const,
				base_url: vendor.baseUrl,
				default_model: "simulated-1",
			},
		},
		chat: "main",
	};
	const service = await startService(resolveConfiguration({ content }));
	const { client_id, client_secret } = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const answer = await fetch(`${service.url}/oauth/token`, { method: "POST", body: form });
	const { access_token } = await answer.json();
	const known = { authorization: `Bearer ${access_token}` };
	const question = { model: "simulated-1", messages: [{ role: "user", content: "When?" }] };
	return {
		url: service.url,
		refused: [
			post("/v1/ask", {}, UNREAD, 401),
			post("/v1/nothing", {}, UNREAD, 404),
			post("/v1/search", { ...known, "content-type": "text/plain" }, UNREAD, 415),
			post("/v1/knowledge-bases", known, TOO_LARGE, 413),
		],
		quick: [get("/v1/agents", known), post("/v1/search", known, { nothing: 1 }, 400), get("/healthz", {})],
		slow: [post("/v1/chat/completions", known, question, 200)],
		async close() {
			await service.close(0);
			await vendor.close();
			await rm(data, { recursive: true, force: true });
		},
	};
}

/** The runtime, with a slow model. */
export async function startUpstreamRuntime(): Promise<Upstream> {
	const model: ChatModel = {
		provider: "scripted",
		model: "script-1",
		vendorHost: "",
		generate: () => Promise.reject(new Error("Not used.")),
		async *stream() {
			await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
			yield { type: "finish", reply: { text: "Late.", toolCalls: [], finishReason: "stop" } };
		},
	};
	const runtime = await startRuntime({
		agents: {
			desk: { name: "desk", description: "Answers late", nodes: [{ id: "desk", kind: "coordinator" }] },
		},
		ports: { models: { resolve: () => ({ model, payer: "none", reason: "In the test." }) } },
		port: 0,
		token: "t0ken",
		log: () => undefined,
	});
	const known = { authorization: "Bearer t0ken" };
	return {
		url: runtime.url,
		refused: [
			post("/run/desk", {}, UNREAD, 401),
			post("/nothing", known, UNREAD, 404),
			post("/run/desk", { ...known, "content-type": "text/plain" }, UNREAD, 415),
			post("/run/desk", known, TOO_LARGE, 413),
			post("/a2a/desk", known, TOO_LARGE, 413),
		],
		quick: [get("/agents", known), get("/healthz", {})],
		slow: [post("/run/desk", known, { input: "When?" }, 200)],
		close: () => runtime.close(0),
	};
}
