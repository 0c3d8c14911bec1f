import { callTool, speakProtocols } from "./canary-protocols";
import type { RecordedAnswer, RecordedRequest, Recorder } from "./canary-recorder";
import type { CanarySecrets, CanaryVendors } from "./canary-vendors";

/** What the tour leaves behind. */
export interface TourSights {
	readonly knowledgeBase: string;
	readonly agent: string;
	readonly run: string;
	/** The routes that answered well: `GET /v1/agents/:id`. */
	readonly routes: readonly string[];
}

/** Calls every route, and sees to it that each answers well. */
export async function takeTour(
	recorder: Recorder,
	secrets: CanarySecrets,
	vendors: CanaryVendors,
): Promise<TourSights> {
	const routes = new Set<string>();

	/** @param route - `POST /v1/agents/:id/run`; ids are put in, in their order. */
	async function visit(
		route: string,
		request?: RecordedRequest,
		...ids: readonly string[]
	): Promise<RecordedAnswer> {
		const left = [...ids];
		const [method = "", path = ""] = route.replace(/:id|…/g, () => left.shift() ?? "").split(" ");
		const answer = await recorder.send(method, path, request);
		if (answer.status >= 300) throw new Error(`${route}: ${answer.status} ${answer.text}`);
		routes.add(route.split("?")[0] ?? "");
		return answer;
	}
	const make = async (route: string, json: object, ...ids: readonly string[]): Promise<string> =>
		(await visit(route, { json }, ...ids)).body.id;

	for (const route of ["GET /", "GET /healthz", "GET /readyz", "GET /metrics"]) await visit(route);

	const once = { json: { name: "server" }, headers: { "idempotency-key": "once" }, shows: ["client_secret"] };
	const { body: client } = await visit("POST /v1/clients", once);
	await recorder.send("POST", "/v1/clients", { ...once, shows: [] });
	for (const route of ["GET /v1/clients", "GET /v1/clients/:id"]) await visit(route, {}, client.id);
	await visit("POST /v1/clients/:id/rotate", { shows: ["client_secret"] }, client.id);
	const key = {
		name: "app",
		native: true,
		models: true,
		requests_per_minute: 10_000,
		tokens_per_day: 10_000_000,
	};
	const { body: clientKey } = await visit("POST /v1/client-keys", { json: key, shows: ["client_key"] });
	for (const route of ["GET /v1/client-keys", "GET /v1/client-keys/:id"])
		await visit(route, {}, clientKey.id);

	const shows = ["client_secret", "client_key"];
	const { body: second } = await visit("POST /v1/workspaces", { json: { name: "Second" }, shows });
	for (const route of ["GET /v1/workspaces", "GET /v1/workspaces/:id"]) await visit(route, {}, second.id);
	await visit("PATCH /v1/workspaces/:id", { json: { name: "Renamed" } }, second.id);
	await visit("DELETE /v1/workspaces/:id", {}, second.id);

	const base = await make("POST /v1/knowledge-bases", { name: "Office" });
	await visit("PATCH /v1/knowledge-bases/:id", { json: { description: "Hours" } }, base);
	const text = "The office opens at nine and closes at five.";
	const added = await visit("POST /v1/knowledge-bases/:id/documents", { json: { text } }, base);
	const [document] = added.body.data;
	while ((await visit("GET /v1/knowledge-bases/:id", {}, base)).body.documents.ready === 0);
	await visit("GET /v1/knowledge-bases");
	await visit("GET /v1/knowledge-bases/:id/documents", {}, base);
	await visit("GET /v1/knowledge-bases/:id/documents/:id", {}, base, document.id);

	await visit("GET /v1/llm-providers");
	await visit(
		"PUT /v1/workspace/secrets/:id",
		{ json: { server_url: "http://127.0.0.1:9/mcp", value: secrets.tool } },
		"tool",
	);
	await visit("GET /v1/workspace/secrets");
	await visit("GET /v1/workspace/secrets/:id", {}, "tool");
	await visit(
		"PUT /v1/workspace/secrets/:id",
		{ json: { server_url: "http://127.0.0.1:9/mcp", value: secrets.deletedTool } },
		"old-tool",
	);
	await visit("DELETE /v1/workspace/secrets/:id", {}, "old-tool");

	const question = { question: "When does the office open?", knowledge_base_ids: [base] };
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "books", kind: "knowledge", knowledgeBases: [base] },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	};
	const agent = await make("POST /v1/agents", { graph, slug: "desk" });
	await visit("PUT /v1/agents/:id", { json: { graph, slug: "desk" } }, agent);
	for (const route of ["GET /v1/agents", "GET /v1/agents/:id"]) await visit(route, {}, agent);

	let run = "";
	const messages = [{ role: "user", content: "Hello?" }];
	/** All ways to a model, with whoever pays by now. */
	async function ask(): Promise<void> {
		await visit("POST /v1/search", { json: { query: question.question, knowledge_base_ids: [base] } });
		for (const stream of [false, true]) {
			await visit("POST /v1/ask", { json: { ...question, stream } });
			await visit("POST /v1/chat/completions", { json: { model: "default", messages, stream } });
		}
		await visit("POST /v1/embeddings", { json: { model: "default", input: "A page." } });
		await visit("GET /v1/models");
		await visit("GET /v1/models/:id", {}, "default");
		await visit("POST /v1/models/resolve", {
			json: { nodes: [{ node: "desk" }], knowledge_base_ids: [base] },
		});
		const input = { input: "When does it open?" };
		await visit("POST /v1/agents/:id/run", { json: { ...input, stream: true }, shows: ["run_token"] }, agent);
		const ran = await visit("POST /v1/agents/:id/run", { json: input, shows: ["run_token"] }, agent);
		run = ran.body.run_id;
		await visit("GET /v1/workspace/llm-settings/stages");
	}

	await ask();
	for (const { provider, base_url, api_key } of vendors.settings(secrets)) {
		const settings = { provider, base_url, model: "usual", api_key };
		await visit("POST /v1/workspace/llm-settings/test", { json: settings });
		await visit("PUT /v1/workspace/llm-settings", { json: settings });
		await visit("GET /v1/workspace/llm-settings");
		await visit("POST /v1/workspace/llm-settings/test", { json: {} });
		await ask();
		await visit("DELETE /v1/workspace/llm-settings");
	}

	await callTool(visit, secrets, vendors.echo.url);
	await speakProtocols(visit, secrets, vendors.echo.url);
	for (const method of ["GET", "DELETE"]) {
		const { status } = await recorder.send(method, "/mcp");
		if (status === 405) routes.add(`${method} /mcp`);
	}

	await visit("GET /v1/runs");
	await visit("GET /v1/runs/:id", { shows: ["run_token"] }, run);
	await visit("GET /v1/runs/:id/events", { shows: ["run_token"] }, run);
	await visit("POST /v1/runs/:id/cancel", {}, run);
	for (const route of ["GET /v1/usage", "GET /v1/audit"]) await visit(route);

	await visit("DELETE /v1/agents/:id", {}, await make("POST /v1/agents", { graph, slug: "other" }));
	await visit("DELETE /v1/knowledge-bases/:id/documents/:id", {}, base, document.id);
	await visit(
		"DELETE /v1/knowledge-bases/:id",
		{},
		await make("POST /v1/knowledge-bases", { name: "Other" }),
	);
	await visit("DELETE /v1/client-keys/:id", {}, clientKey.id);
	await visit("DELETE /v1/clients/:id", {}, client.id);
	return { knowledgeBase: base, agent, run, routes: [...routes].sort() };
}
