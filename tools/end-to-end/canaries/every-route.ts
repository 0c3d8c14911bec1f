import { createSoftwareAuthenticator } from "@stemma/simulators/software-authenticator";
import { connectOthers } from "./connectors";
import { rateAnswers } from "./feedback";
import { callTool, speakProtocols } from "./protocols";
import type { RecordedAnswer, RecordedRequest, Recorder } from "./recorder";
import { keepThread } from "./threads";
import type { CanarySecrets, CanaryVendors } from "./vendors";

/** What the tour leaves behind. */
export interface RouteCoverage {
	readonly knowledgeBase: string;
	readonly agent: string;
	readonly run: string;
	/** The routes that answered well: `GET /v1/agents/:id`. */
	readonly routes: readonly string[];
}

/** Calls every route, and sees to it that each answers well. */
export async function callEveryRoute(
	recorder: Recorder,
	secrets: CanarySecrets,
	vendors: CanaryVendors,
): Promise<RouteCoverage> {
	const routes = new Set<string>();

	/** @param route - `POST /v1/agents/:id/run`; ids are put in, in their order. */
	async function callRoute(
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
	const create = async (route: string, json: object, ...ids: readonly string[]): Promise<string> =>
		(await callRoute(route, { json }, ...ids)).body.id;

	for (const route of [
		"GET /",
		"GET /healthz",
		"GET /readyz",
		"GET /metrics",
		"GET /openapi.json",
		"GET /docs",
	])
		await callRoute(route);

	const once = {
		json: { name: "server" },
		headers: { "idempotency-key": "once" },
		revealedFields: ["client_secret"],
	};
	const { body: client } = await callRoute("POST /v1/clients", once);
	await recorder.send("POST", "/v1/clients", { ...once, revealedFields: [] });
	for (const route of ["GET /v1/clients", "GET /v1/clients/:id"]) await callRoute(route, {}, client.id);
	await callRoute("POST /v1/clients/:id/rotate", { revealedFields: ["client_secret"] }, client.id);
	const key = {
		name: "app",
		native: true,
		models: true,
		requests_per_minute: 10_000,
		tokens_per_day: 10_000_000,
	};
	const { body: clientKey } = await callRoute("POST /v1/client-keys", {
		json: key,
		revealedFields: ["client_key"],
	});
	for (const route of ["GET /v1/client-keys", "GET /v1/client-keys/:id"])
		await callRoute(route, {}, clientKey.id);

	await callPeople(callRoute);

	const revealedFields = ["client_secret", "client_key"];
	const { body: second } = await callRoute("POST /v1/workspaces", {
		json: { name: "Second" },
		revealedFields,
	});
	for (const route of ["GET /v1/workspaces", "GET /v1/workspaces/:id"]) await callRoute(route, {}, second.id);
	await callRoute("PATCH /v1/workspaces/:id", { json: { name: "Renamed" } }, second.id);
	await callRoute("DELETE /v1/workspaces/:id", {}, second.id);

	const base = await create("POST /v1/knowledge-bases", { name: "Office" });
	await callRoute("PATCH /v1/knowledge-bases/:id", { json: { description: "Hours" } }, base);
	const text = "The office opens at nine and closes at five.";
	const added = await callRoute("POST /v1/knowledge-bases/:id/documents", { json: { text } }, base);
	const [document] = added.body.data;
	while ((await callRoute("GET /v1/knowledge-bases/:id", {}, base)).body.documents.ready === 0);
	await callRoute("GET /v1/knowledge-bases");
	await callRoute("GET /v1/knowledge-bases/:id/documents", {}, base);
	for (const part of ["", "/text", "/file"])
		await callRoute(`GET /v1/knowledge-bases/:id/documents/:id${part}`, {}, base, document.id);

	await callRoute("POST /v1/knowledge-bases/:id/documents/:id/retry", {}, base, document.id);

	const reindexRoute = "/v1/knowledge-bases/:id/reindex";
	await callRoute(`GET ${reindexRoute}`, {}, base);
	for (const method of ["POST", "DELETE"]) {
		const path = `/v1/knowledge-bases/${base}/reindex`;
		const moved = await recorder.send(method, path, method === "POST" ? { json: { to: "none" } } : {});
		if ([200, 202, 404, 409].includes(moved.status)) routes.add(`${method} ${reindexRoute}`);
	}

	const source = await create(
		"POST /v1/knowledge-bases/:id/sources",
		{ settings: { kind: "url", url: "http://127.0.0.1:9/page" }, credential: "tool" },
		base,
	);
	const sourceRoute = "/v1/knowledge-bases/:id/sources/:id";
	await callRoute("GET /v1/knowledge-bases/:id/sources", {}, base);
	await callRoute(`PATCH ${sourceRoute}`, { json: { name: "Page" } }, base, source);
	await callRoute(`POST ${sourceRoute}/sync`, { json: {} }, base, source);
	for (const part of ["", "/syncs"]) await callRoute(`GET ${sourceRoute}${part}`, {}, base, source);
	const cancelled = await recorder.send("POST", `/v1/knowledge-bases/${base}/sources/${source}/sync/cancel`);
	if (cancelled.status === 200 || cancelled.status === 409) routes.add(`POST ${sourceRoute}/sync/cancel`);
	await callRoute(`DELETE ${sourceRoute}`, {}, base, source);
	await callRoute("GET /v1/llm-providers");
	await callRoute(
		"PUT /v1/workspace/secrets/:id",
		{ json: { server_url: "http://127.0.0.1:9/mcp", value: secrets.tool } },
		"tool",
	);
	await callRoute("GET /v1/workspace/secrets");
	await callRoute("GET /v1/workspace/secrets/:id", {}, "tool");
	await callRoute(
		"PUT /v1/workspace/secrets/:id",
		{ json: { server_url: "http://127.0.0.1:9/mcp", value: secrets.deletedTool } },
		"old-tool",
	);
	await callRoute("DELETE /v1/workspace/secrets/:id", {}, "old-tool");

	const question = { question: "When does the office open?", knowledge_base_ids: [base] };
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "books", kind: "knowledge", knowledgeBases: [base] },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	};
	const agent = await create("POST /v1/agents", { graph, slug: "desk" });
	await callRoute("PUT /v1/agents/:id", { json: { graph, slug: "desk" } }, agent);
	for (const route of ["GET /v1/agents", "GET /v1/agents/:id"]) await callRoute(route, {}, agent);

	let run = "";
	const messages = [{ role: "user", content: "Hello?" }];
	/** All ways to a model, with whoever pays by now. */
	async function ask(): Promise<void> {
		const search = { query: question.question, knowledge_base_ids: [base] };
		for (const history of [[], messages])
			await callRoute("POST /v1/search", { json: { ...search, history } });
		for (const stream of [false, true]) {
			await callRoute("POST /v1/ask", { json: { ...question, stream } });
			await callRoute("POST /v1/chat/completions", { json: { model: "default", messages, stream } });
		}
		for (const model of ["default", "agent:desk", `kb:${base}`]) {
			const response = await callRoute("POST /v1/responses", { json: { model, input: "Hello?" } });
			await callRoute("GET /v1/responses/:id", {}, response.body.id);
			await callRoute("GET /v1/responses/:id/input_items", {}, response.body.id);
			await callRoute("POST /v1/messages", { json: { model, messages, max_tokens: 1000 } });
			await callRoute("POST /v1/messages/count_tokens", { json: { model, messages } });
			await callRoute("DELETE /v1/responses/:id", {}, response.body.id);
		}
		const background = await callRoute("POST /v1/responses", {
			json: { model: "default", input: "Hello?", background: true },
		});
		await callRoute("POST /v1/responses/:id/cancel", {}, background.body.id);
		await callRoute("POST /v1/embeddings", { json: { model: "default", input: "A page." } });
		await callRoute("GET /v1/models");
		await callRoute("GET /v1/models/:id", {}, "default");
		await callRoute("POST /v1/models/resolve", {
			json: { nodes: [{ node: "desk" }, { node: "handbook", stage: "rewrite" }], knowledge_base_ids: [base] },
		});
		const input = { input: "When does it open?" };
		await callRoute(
			"POST /v1/agents/:id/run",
			{ json: { ...input, stream: true }, revealedFields: ["run_token"] },
			agent,
		);
		const ran = await callRoute(
			"POST /v1/agents/:id/run",
			{ json: input, revealedFields: ["run_token"] },
			agent,
		);
		run = ran.body.run_id;
		const chat = { id: "chat", messages: [{ role: "user", parts: [{ type: "text", text: input.input }] }] };
		await callRoute("POST /v1/agents/:id/ui", { json: chat }, agent);
		const thread = { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: input.input }] };
		await callRoute("POST /v1/agents/:id/ag-ui", { json: thread }, agent);
		await callRoute("GET /v1/agents/:id/ui/:id/stream", {}, agent, "chat");
		await callRoute("GET /v1/workspace/llm-settings/stages");
	}

	await ask();
	for (const { provider, base_url, api_key } of vendors.settings(secrets)) {
		const settings = { provider, base_url, model: "usual", api_key };
		await callRoute("POST /v1/workspace/llm-settings/test", { json: settings });
		await callRoute("PUT /v1/workspace/llm-settings", { json: settings });
		await callRoute("GET /v1/workspace/llm-settings");
		await callRoute("POST /v1/workspace/llm-settings/test", { json: {} });
		await ask();
		await callRoute("DELETE /v1/workspace/llm-settings");
	}

	await callTool(callRoute, secrets, vendors.echo.url);
	await speakProtocols(callRoute, secrets, vendors.echo.url);
	for (const method of ["GET", "DELETE"]) {
		const { status } = await recorder.send(method, "/mcp");
		if (status === 405) routes.add(`${method} /mcp`);
	}

	const { body: found } = await callRoute("POST /v1/search", {
		json: { query: question.question, knowledge_base_ids: [base] },
		token: clientKey.client_key,
		revealedFields: ["document_url"],
	});
	const { search } = new URL(found.passages[0].document_url);
	await callRoute("GET /v1/documents/:id", {}, document.id);
	for (const kind of ["file", "text"])
		await callRoute(`GET /v1/documents/:id/${kind}${search}`, { token: null }, document.id);

	await rateAnswers(callRoute, run, question);
	await connectOthers(callRoute, base);
	await keepThread(callRoute, question);

	await callRoute("GET /v1/runs");
	await callRoute("GET /v1/runs/:id", { revealedFields: ["run_token"] }, run);
	await callRoute("GET /v1/runs/:id/events", { revealedFields: ["run_token"] }, run);
	await callRoute("POST /v1/runs/:id/cancel", {}, run);
	await shareRun(callRoute, run);
	await readVersions(callRoute, agent);
	for (const route of ["GET /v1/usage", "GET /v1/audit"]) await callRoute(route);

	await callRoute("DELETE /v1/agents/:id", {}, await create("POST /v1/agents", { graph, slug: "other" }));
	await callRoute("DELETE /v1/knowledge-bases/:id/documents/:id", {}, base, document.id);
	await callRoute(
		"DELETE /v1/knowledge-bases/:id",
		{},
		await create("POST /v1/knowledge-bases", { name: "Other" }),
	);
	await callRoute("DELETE /v1/client-keys/:id", {}, clientKey.id);
	await callRoute("DELETE /v1/clients/:id", {}, client.id);
	return { knowledgeBase: base, agent, run, routes: [...routes].sort() };
}

/** Lists the versions of an agent, and restores the first one. */
async function readVersions(callRoute: CallRoute, agent: string): Promise<void> {
	await callRoute("GET /v1/agents/:id/versions", {}, agent);
	await callRoute("GET /v1/agents/:id/versions/:id", {}, agent, "1");
	await callRoute("POST /v1/agents/:id/versions/:id/restore", { json: {} }, agent, "1");
}

/** Makes a link to a run, opens it, and revokes it. */
async function shareRun(callRoute: CallRoute, run: string): Promise<void> {
	const fields = ["input", "output", "links", "steps", "tools", "receipt"];
	const request = { json: { fields }, revealedFields: ["link", "token"] };
	const { id, token } = (await callRoute("POST /v1/runs/:id/shares", request, run)).body;
	await callRoute("POST /v1/shared-runs", { json: { token }, token: null });
	await callRoute("GET /v1/shares");
	await callRoute("DELETE /v1/shares/:id", {}, id);
}

/** Adds a passkey, signs in with it, and removes it. */
async function usePasskey(callRoute: CallRoute, origin: string): Promise<void> {
	const { register, authenticate } = createSoftwareAuthenticator(origin);
	const { body: made } = await callRoute("POST /v1/passkeys/options", { isPage: true });
	const json = { response: register(made), name: "Laptop" };
	const { body: passkey } = await callRoute("POST /v1/passkeys", { json, isPage: true });
	const { body: asked } = await callRoute("POST /v1/session/passkey/options", { isPage: true });
	const signIn = { response: authenticate(asked) };
	await callRoute("POST /v1/session/passkey", { json: signIn, isPage: true });
	await callRoute("GET /v1/passkeys", { isPage: true });
	await callRoute("PATCH /v1/passkeys/:id", { json: { name: "Phone" }, isPage: true }, passkey.id);
	await callRoute("DELETE /v1/passkeys/:id", { isPage: true }, passkey.id);
}

type CallRoute = (
	route: string,
	request?: RecordedRequest,
	...ids: readonly string[]
) => Promise<RecordedAnswer>;

/** Invites people and signs them in, who use their sessions and are removed. */
async function callPeople(callRoute: CallRoute): Promise<void> {
	const invite = async (role: string): Promise<RecordedAnswer["body"]> => {
		const json = { email: `${role}@example.com`, role };
		return (await callRoute("POST /v1/invitations", { json, revealedFields: ["link"] })).body;
	};
	const signIn = async (role: string): Promise<RecordedAnswer["body"]> => {
		const token = new URL((await invite(role)).link).hash.replace("#sign-in=", "");
		return (await callRoute("POST /v1/session", { json: { token }, isPage: true })).body;
	};
	await callRoute("GET /v1/invitations");
	await callRoute("DELETE /v1/invitations/:id", {}, (await invite("viewer")).id);
	await signIn("admin");
	await usePasskey(callRoute, new URL((await invite("viewer")).link).origin);
	const { id, user } = await signIn("editor");
	for (const route of [
		"GET /v1/session",
		"GET /v1/session/workspaces",
		"GET /v1/sessions",
		"GET /v1/sign-in",
	])
		await callRoute(route, { isPage: true });
	await callRoute("DELETE /v1/sessions/:id", { isPage: true }, id);
	for (const route of ["DELETE /v1/session", "DELETE /v1/sessions"]) {
		await signIn("editor");
		await callRoute(route, { isPage: true });
	}
	await signIn("editor");
	await callApps(callRoute);
	await callRoute("GET /v1/members");
	await callRoute("GET /v1/members/:id/export", {}, user.id);
	await callRoute("PATCH /v1/members/:id", { json: { role: "viewer" } }, user.id);
	await callRoute("DELETE /v1/members/:id", {}, user.id);
	await callRoute("DELETE /v1/members/:id/data", {}, user.id);
}

/** Lets the person who is signed in give an app access, and end it. */
async function callApps(callRoute: CallRoute): Promise<void> {
	const redirect_uri = "https://app.example/callback";
	const registration = { json: { redirect_uris: [redirect_uri] }, token: null };
	const { client_id } = (await callRoute("POST /oauth/register", registration)).body;
	const challenge = { code_challenge: "x".repeat(43), code_challenge_method: "S256" };
	const request = { client_id, redirect_uri, response_type: "code", ...challenge };
	await callRoute("POST /v1/authorization-requests", { json: request, isPage: true });
	const json = { ...request, decision: "allow" };
	await callRoute("POST /v1/authorizations", { json, isPage: true, revealedFields: ["redirect_to"] });
	await callRoute("GET /v1/authorizations", { isPage: true });
	const { data } = (await callRoute("GET /v1/audit?action=authorization.created")).body;
	await callRoute("DELETE /v1/authorizations/:id", { isPage: true }, data[0].target);
	await callRoute("POST /oauth/revoke", { form: { token: "ort_unknown", client_id }, token: null });
}
