import { describe, expect, it } from "vitest";
import {
	chatCompletions,
	createClient,
	embeddings,
	health,
	runtimeAgents,
	Stemma,
	StreamError,
} from "../index";
import { resultOf, serveRun } from "../test-support/fake-run";
import { CLIENT_KEY, clientOf, useTestServer } from "../test-support/test-client";
import { closeConnection, respondWithError, respondWithJson, sendJson } from "../test-support/test-server";

const server = useTestServer();

describe("Stemma", () => {
	it("reaches every route of the service", async () => {
		server().on("\\w+ /v1/.*", respondWithJson({ id: "x", data: [], has_more: false, next: null }));
		const stemma = new Stemma({ clientKey: CLIENT_KEY, baseUrl: server().url });
		const graph = { nodes: [{ id: "desk", kind: "coordinator" as const }] };
		await stemma.agents.list({ limit: 1 });
		await stemma.agents.get("desk");
		await stemma.agents.create({ graph, slug: "desk" });
		await stemma.agents.replace("desk", { graph });
		await stemma.agents.delete("desk");
		await stemma.agents.versions.list("desk", { limit: 2, after: "3" });
		await stemma.agents.versions.get("a/b", 2);
		await stemma.agents.versions.restore("desk", 2);
		await stemma.agents.versions.restore("desk", 2, { version: 3, note: "Back." });
		await stemma.agents.start("desk", { input: "" });
		await stemma.runs.list({ agent_id: "desk", status: "running" });
		await stemma.runs.get("run_1", { run_token: "rt_1" });
		await stemma.runs.cancel("run_1", { run_token: "rt_1" });
		await stemma.runs.decide("run_1", "apr_3/x", { decision: "deny", reason: "Too much." });
		await stemma.runs.sendFeedback("run_1", { rating: "up" }, { run_token: "rt_1" });
		await stemma.runs.deleteFeedback("run_1");
		await stemma.ask.sendFeedback("ans_1", { rating: "down", tags: ["old"] }, { answer_token: "at_1" });
		await stemma.ask.deleteFeedback("ans_1");
		await stemma.feedback.list({ rating: "down", since: "2026-01-01", limit: 5 });
		await stemma.search({ query: "q", knowledge_base_ids: ["kb_1"] });
		await stemma.apiClients.list();
		await stemma.apiClients.get("cl_1");
		await stemma.apiClients.create({ name: "A" });
		await stemma.apiClients.rotate("cl_1");
		await stemma.apiClients.delete("cl_1");
		await stemma.workspaces.list({ limit: 5 });
		await stemma.workspaces.get("ws_1");
		await stemma.workspaces.create({ name: "A" });
		await stemma.workspaces.update("ws_1", { name: "B" });
		await stemma.workspaces.delete("ws_1");
		await stemma.clientKeys.list();
		await stemma.clientKeys.get("ck_1");
		await stemma.clientKeys.create({ name: "A", native: true });
		await stemma.clientKeys.delete("ck_1");
		await stemma.chatCompletions.models();
		await stemma.chatCompletions.resolveModels({ nodes: [{ node: "desk", model: "m" }] });
		await stemma.embeddings.create({ model: "default", input: ["a"] });
		await stemma.llmSettings.set({
			provider: "bedrock",
			base_url: "https://a.example",
			model: "m",
			api_key: null,
		});
		await stemma.llmSettings.get();
		await stemma.llmSettings.test();
		await stemma.llmSettings.delete();
		await stemma.llmSettings.stages();
		await stemma.llmSettings.providers();
		await stemma.workspaceSecrets.set("crm/eu", { server_url: "https://crm.example", value: "v" });
		await stemma.workspaceSecrets.get("crm");
		await stemma.workspaceSecrets.list({ after: "crm" });
		await stemma.workspaceSecrets.delete("crm");
		await stemma.usage();
		await stemma.usage({ from: "2026-01-01", payer: "workspace" });
		await stemma.audit.list({ limit: 2, action: "secret.set" });
		const sent = server().requests.map(({ method, path, query, body }) =>
			`${method} ${path} ${query} ${body}`.trimEnd(),
		);
		expect(sent).toEqual([
			"GET /v1/agents limit=1",
			"GET /v1/agents/desk",
			`POST /v1/agents  ${JSON.stringify({ graph, slug: "desk" })}`,
			`PUT /v1/agents/desk  ${JSON.stringify({ graph })}`,
			"DELETE /v1/agents/desk",
			"GET /v1/agents/desk/versions limit=2&after=3",
			"GET /v1/agents/a%2Fb/versions/2",
			"POST /v1/agents/desk/versions/2/restore  {}",
			'POST /v1/agents/desk/versions/2/restore  {"version":3,"note":"Back."}',
			'POST /v1/agents/desk/run  {"input":"","background":true}',
			"GET /v1/runs agent_id=desk&status=running",
			"GET /v1/runs/run_1",
			"POST /v1/runs/run_1/cancel",
			'POST /v1/runs/run_1/approvals/apr_3%2Fx  {"decision":"deny","reason":"Too much."}',
			'POST /v1/runs/run_1/feedback  {"rating":"up"}',
			"DELETE /v1/runs/run_1/feedback",
			'POST /v1/answers/ans_1/feedback  {"rating":"down","tags":["old"]}',
			"DELETE /v1/answers/ans_1/feedback",
			"GET /v1/feedback rating=down&since=2026-01-01&limit=5",
			'POST /v1/search  {"query":"q","knowledge_base_ids":["kb_1"]}',
			"GET /v1/clients",
			"GET /v1/clients/cl_1",
			'POST /v1/clients  {"name":"A"}',
			"POST /v1/clients/cl_1/rotate",
			"DELETE /v1/clients/cl_1",
			"GET /v1/workspaces limit=5",
			"GET /v1/workspaces/ws_1",
			'POST /v1/workspaces  {"name":"A"}',
			'PATCH /v1/workspaces/ws_1  {"name":"B"}',
			"DELETE /v1/workspaces/ws_1",
			"GET /v1/client-keys",
			"GET /v1/client-keys/ck_1",
			'POST /v1/client-keys  {"name":"A","native":true}',
			"DELETE /v1/client-keys/ck_1",
			"GET /v1/models",
			'POST /v1/models/resolve  {"nodes":[{"node":"desk","model":"m"}]}',
			'POST /v1/embeddings  {"model":"default","input":["a"]}',
			'PUT /v1/workspace/llm-settings  {"provider":"bedrock","base_url":"https://a.example","model":"m","api_key":null}',
			"GET /v1/workspace/llm-settings",
			"POST /v1/workspace/llm-settings/test  {}",
			"DELETE /v1/workspace/llm-settings",
			"GET /v1/workspace/llm-settings/stages",
			"GET /v1/llm-providers",
			'PUT /v1/workspace/secrets/crm%2Feu  {"server_url":"https://crm.example","value":"v"}',
			"GET /v1/workspace/secrets/crm",
			"GET /v1/workspace/secrets after=crm",
			"DELETE /v1/workspace/secrets/crm",
			"GET /v1/usage",
			"GET /v1/usage from=2026-01-01&payer=workspace",
			"GET /v1/audit limit=2&action=secret.set",
		]);
		expect(server().requests[11]?.headers["stemma-run-token"]).toBe("rt_1");
		expect(server().requests[12]?.headers["stemma-run-token"]).toBe("rt_1");
	});
});

describe("chatCompletions", () => {
	it("ends the call when a reader leaves that waits for a chunk", async () => {
		let isDeleted = false;
		server().on("POST /v1/chat/completions", (_, response) => {
			response.on("close", () => {
				isDeleted = true;
			});
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('data: {"choices":[]}\n\n');
		});
		const chunks = chatCompletions(clientOf(server()))
			.stream({ model: "m", messages: [] })
			[Symbol.asyncIterator]();
		await chunks.next();
		const waited = chunks.next();
		await chunks.return?.();
		expect(await waited).toEqual({ done: true, value: undefined });
		await expect.poll(() => isDeleted).toBe(true);
	});

	const request = { model: "default", messages: [{ role: "user" as const, content: "hi" }] };
	const chunk = (content: string) => ({ id: "c", choices: [{ index: 0, delta: { content } }] });
	const serve = (...data: readonly string[]) =>
		server().on("POST /v1/chat/completions", (_, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.end(data.map((one) => `data: ${one}\n\n`).join(""));
		});

	async function readText(): Promise<string> {
		let text = "";
		for await (const { choices } of chatCompletions(clientOf(server())).stream(request))
			text += choices[0]?.delta.content ?? "";
		return text;
	}

	it("streams chunks up to [DONE]", async () => {
		serve(JSON.stringify(chunk("Hel")), JSON.stringify(chunk("lo")), "[DONE]");
		expect(await readText()).toBe("Hello");
		expect(server().requests[0]?.json()).toEqual({ ...request, stream: true });
	});

	it("throws what the service says half-way", async () => {
		serve(JSON.stringify(chunk("Hel")), '{"error":{"code":"unreachable","message":"No.","hint":"Do."}}');
		const error = await readText().catch((thrown: unknown) => thrown);
		expect(error).toSatisfy(StreamError.is);
		expect(error).toMatchObject({ code: "unreachable", message: "No.", hint: "Do.", requestId: "req_1" });
	});

	it.each([
		['{"code":7,"message":[],"hint":null}', { code: "stream_failed", message: /gave no reason/ }],
		[`{"code":"c","message":"No: ${CLIENT_KEY}","hint":"a"}`, { code: "c", message: /^No: \[redacted\]$/ }],
	])("throws what is safe of %s", async (error, { code, message }) => {
		serve(`{"error":${error}}`);
		await expect(readText()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
	});

	it("eventTimeoutMs ends a reply that sends no chunks, whatever else it sends", async () => {
		server().on("POST /v1/chat/completions", (_, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write(`data: ${JSON.stringify(chunk("Hel"))}\n\n`);
			const heartbeat = setInterval(() => response.write(": beat\n\n"), 20);
			response.on("close", () => clearInterval(heartbeat));
		});
		const timeouts = { eventTimeoutMs: 1000 };
		const read = chatCompletions(clientOf(server(), { timeouts })).stream(request)[Symbol.asyncIterator]();
		expect((await read.next()).value).toEqual(chunk("Hel"));
		// The reader's own time does not count.
		await new Promise((resolve) => setTimeout(resolve, 1500));
		const begin = performance.now();
		await expect(read.next()).rejects.toMatchObject({ code: "event_timeout" });
		expect(performance.now() - begin).toBeGreaterThan(900);
	});

	it("refuses JSON at once, though its body never ends", async () => {
		server().on("POST /v1/chat/completions", (_, response) => {
			response.writeHead(200, { "content-type": "application/json" }).write("{");
		});
		await expect(readText()).rejects.toMatchObject({ code: "invalid_response" });
	});

	it("throws where [DONE] is missing", async () => {
		serve(JSON.stringify(chunk("Hel")));
		await expect(readText()).rejects.toMatchObject({ code: "stream_cut_off" });
	});

	it("gives a whole reply", async () => {
		server().on("POST /v1/chat/completions", respondWithJson({ id: "c", choices: [] }));
		expect(await chatCompletions(clientOf(server())).create(request)).toEqual({ id: "c", choices: [] });
	});

	it("does not pay twice: a call that may have begun is not repeated", async () => {
		server().on("POST /v1/chat/completions", closeConnection);
		await expect(readText()).rejects.toMatchObject({ code: "connection_failed" });
		expect(server().requests).toHaveLength(1);
		server().sequence(
			"POST /v1/chat/completions",
			respondWithError(429, { code: "rate_limited" }),
			respondWithError(502, { code: "unreachable" }),
		);
		await expect(readText()).rejects.toMatchObject({ code: "unreachable" });
		expect(server().requests).toHaveLength(3);
	});
});

it("asks once for embeddings that may have begun", async () => {
	server().on("POST /v1/embeddings", closeConnection);
	const call = embeddings(clientOf(server())).create({ model: "default", input: "a" });
	await expect(call).rejects.toMatchObject({ code: "connection_failed" });
	expect(server().requests).toHaveLength(1);
});

it("looks once whether the service is ready", async () => {
	server().on("GET /readyz", (_, response) => sendJson(response, { status: "starting" }, 503));
	const ready = health(clientOf(server())).ready();
	await expect(ready).rejects.toMatchObject({ name: "ServerError", status: 503 });
	expect(server().requests).toHaveLength(1);
});

it("needs no credential to tell how a service is doing: it may be that none can be had", async () => {
	server().on("POST /oauth/token", respondWithError(401, { code: "invalid_client" }));
	server().on("GET /healthz", respondWithJson({ status: "ok" }));
	server().on("GET /readyz", respondWithError(401, { code: "proxy" }));
	const { alive, ready } = health(
		createClient({ clientId: "cl_1", clientSecret: "cs_wrong", baseUrl: server().url }),
	);
	expect(await alive()).toEqual({ status: "ok" });
	await expect(ready()).rejects.toMatchObject({ code: "proxy" });
	expect(server().tokenRequests).toHaveLength(0);
	expect(server().requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
		["/healthz", undefined],
		["/readyz", undefined],
	]);
});

describe("runtimeAgents", () => {
	const connect = (token?: string) => runtimeAgents({ baseUrl: server().url, token, retryDelayMs: 5 });

	it("lists and tells its health", async () => {
		server().on("GET /healthz", respondWithJson({ status: "ok" }));
		server().on("GET /agents", respondWithJson({ data: [] }));
		expect(await connect().health()).toEqual({ status: "ok" });
		expect(await connect("tok_1").list()).toEqual({ data: [] });
		expect(server().requests.map(({ headers }) => headers.authorization)).toEqual([
			undefined,
			"Bearer tok_1",
		]);
	});

	it("runs, rejoins and cancels as the service does", async () => {
		const run = serveRun(server(), {
			prefix: "",
			serve({ from, events, number }, response) {
				response.writeHead(200, { "content-type": "text/event-stream" });
				const part = events.slice(from, number === 1 ? 3 : undefined);
				response.end(part.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
			},
		});
		const stream = connect("tok_1").stream("desk", { input: "" });
		const seqs: number[] = [];
		for await (const { seq } of stream) {
			if (seq === 2) stream.cancel();
			seqs.push(seq);
		}
		expect(seqs).toEqual([1, 2, 3, 4, 5, 6]);
		expect(await stream.result()).toEqual(resultOf("completed", "It takes five days."));
		await expect.poll(() => run.isCancelled).toBe(true);
		expect(
			server()
				.requests.map(({ path }) => path)
				.sort(),
		).toEqual(["/run/desk", "/runs/run_1/cancel", "/runs/run_1/events"]);
		expect(server().requests[1]?.headers.authorization).toBe("Bearer tok_1");
	});

	it("joins runs by their ids, cancels them, and decides on what they wait for", async () => {
		serveRun(server(), { prefix: "" });
		const { runs } = connect("tok_1");
		const seqs: number[] = [];
		for await (const { seq } of runs.stream("run_1", { after: 2 })) seqs.push(seq);
		expect(seqs).toEqual([3, 4, 5, 6]);
		await runs.cancel("run_1");
		server().on("POST /runs/run_1/approvals/apr_3", respondWithJson({ id: "run_1", status: "running" }));
		expect((await runs.decide("run_1", "apr_3", { decision: "approve" })).status).toBe("running");
		expect(server().requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			"GET /runs/run_1/events",
			"POST /runs/run_1/cancel",
			"POST /runs/run_1/approvals/apr_3",
		]);
	});

	it("gives results, and refuses as the runtime does", async () => {
		serveRun(server(), { prefix: "" });
		expect((await connect().run("desk", { input: "" })).output).toBe("It takes five days.");
		server().on(
			"POST /run/:id",
			respondWithError(404, { code: "agent_not_found", details: { agents: ["desk"] } }),
		);
		await expect(connect().run("x", { input: "" })).rejects.toMatchObject({ details: { agents: ["desk"] } });
	});
});
