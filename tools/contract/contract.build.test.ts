import { readFileSync } from "node:fs";
import {
	type AgentRunStream,
	type AuthorizationRequest,
	type ChatCompletionChunk,
	type Fetch,
	type ModelList,
	runtimeAgents,
	Stemma,
	type WithRequestId,
} from "@stemma/client";
import type { AgentGraph, RunResult } from "@stemma/core";
import { connectService, type RunningRuntime, startRuntime } from "@stemma/runtime";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: the routes of the runtime, which no package exports
import { ALLOWED_METHODS } from "../../packages/runtime/src/http/routes/match-route";
// biome-ignore lint/style/noRestrictedImports: all scopes, which no package exports
import { SCOPES } from "../../packages/service/src/auth/scopes";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { recordRoutes } from "../../packages/service/src/test-support/service-routes";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { getBody, waitUntilIndexed } from "../../packages/service/src/test-support/tenant";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import * as gateways from "../../packages/service/src/test-support/test-gateway";
import type { OpenApi } from "../openapi/breaking-changes";
import type { ResponseTypes } from "../openapi/parts";
import type { RuntimeTypes } from "../openapi/runtime-types";
import { createValidator } from "../openapi/validator";

/** Protocols and pages of their own, which have, or will have, clients of their own; addresses that links of pages open. */
const EXCLUDED_ROUTES =
	/^\w+ \/(mcp|a2a|docs\b|openapi\.json|retrieval|api\/v1\/|metrics|oauth\/(authorize|register|revoke)|\.well-known|assets\/|v1\/(documents|messages|passkeys|responses|session\/passkey|sign-in\/)|(v1\/agents|run)\/:\w+\/(ag-)?ui\b|$)/;

/** Verifier and challenge of RFC 7636, appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** Registers an app, and makes its request for access. */
async function registerApp(baseUrl: string): Promise<AuthorizationRequest> {
	const redirect_uri = "https://app.example/callback";
	const body = JSON.stringify({ client_name: "An app", redirect_uris: [redirect_uri] });
	const registered = await fetch(`${baseUrl}/oauth/register`, { method: "POST", body });
	const { client_id } = (await registered.json()) as { readonly client_id: string };
	const challenge = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
	return { client_id, redirect_uri, response_type: "code", ...challenge };
}

async function exchangeCode(
	baseUrl: string,
	{ client_id, redirect_uri }: AuthorizationRequest,
	redirectTo: string,
): Promise<void> {
	const code = new URL(redirectTo).searchParams.get("code") ?? "";
	const grant_type = "authorization_code";
	const body = new URLSearchParams({ grant_type, client_id, redirect_uri, code, code_verifier: VERIFIER });
	expect((await fetch(`${baseUrl}/oauth/token`, { method: "POST", body })).status).toBe(200);
}

/** Remembers what a client asked for, as `GET /v1/runs/run_1`. */
function createRecorder(): { readonly sent: string[]; readonly fetch: Fetch } {
	const sent: string[] = [];
	return {
		sent,
		fetch(url, init) {
			sent.push(`${init.method} ${new URL(url).pathname}`);
			return fetch(url, init as RequestInit);
		},
	};
}

/** Sends as the browser of a page of the service does: with the cookie that it was given last, and its own origin. */
function withCookies(send: Fetch): Fetch {
	let cookie = "";
	return async (url, init) => {
		const { origin } = new URL(url);
		const headers = { ...init.headers, origin, ...(cookie !== "" && { cookie }) };
		const response = await send(url, { ...init, headers });
		cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
		return response;
	};
}

/** Routes that nothing was sent to. */
const findUnused = (routes: readonly string[], sent: readonly string[]): readonly string[] =>
	routes.filter((route) => {
		const pattern = new RegExp(`^${route.replace(/:\w+(\{.*\})?/g, "[^/]+")}$`);
		return !EXCLUDED_ROUTES.test(route) && !sent.some((one) => pattern.test(one));
	});

/** Checks for a function without passkeys, whose answers and routes are looked at beside those routes. */
const needsNoAuthenticator = (name: string): boolean => !/^session\..*passkey/i.test(name);

/** `agents.run`, `ask`, `ask.stream`: all that can be called. */
const listFunctions = (value: object, prefix = ""): readonly string[] =>
	Object.entries(value).flatMap(([name, member]) => {
		const path = `${prefix}${name}`;
		if (path === "client") return [];
		return [...(typeof member === "function" ? [path] : []), ...listFunctions(member, `${path}.`)];
	});

/** An agent that asks another one only after an approval. */
const toApprovalGraph = (agentId: string): AgentGraph => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "other", kind: "remote", agentId, approval: true },
	],
	edges: [{ from: "desk", to: "other", mode: "before" }],
});

/** The run and the first approval that a result waits for; the result must be as declared. */
function readPendingApproval(result: RunResult): readonly [run: string, approval: string] {
	expectDescribed("RunResult", result);
	return [result.run_id, result.approvals?.[0]?.id ?? ""];
}

type Call = () => Promise<unknown>;

/** Types of answers, by the names of their schemas in the documents. */
type Types = ResponseTypes & RuntimeTypes;

const readDocument = (name: string): OpenApi =>
	JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"));
const documents = [readDocument("openapi-runtime.json"), readDocument("openapi.json")];
const schemas = Object.assign({}, ...documents.map(({ components }) => components?.schemas));
const { validate } = createValidator({ components: { schemas } });

/** An answer must be as the document describes it; lists have something in them, so that it is looked at. */
function expectDescribed<Name extends keyof Types>(name: Name, answer: Types[Name]): void {
	expect(validate(name, answer), name).toBeUndefined();
	if (name.endsWith("Page")) expect(answer, name).not.toHaveProperty("data", []);
}

/** A call whose answer must be as the document describes it, and has the id of its request. */
const expectAnswer =
	<Name extends keyof Types>(name: Name, call: () => PromiseLike<WithRequestId<Types[Name]>>): Call =>
	async () => {
		const answer = await call();
		expectDescribed(name, answer);
		expect(answer.requestId).toMatch(/^req_/);
	};

/** A run whose events and result must be as declared. */
const expectRun =
	(start: () => AgentRunStream): Call =>
	async () => {
		const stream = start();
		const types: string[] = [];
		for await (const { type } of stream) types.push(type);
		expect([types[0], types.at(-1)]).toEqual(["run.started", "run.completed"]);
		expectDescribed("RunResult", await stream.result());
	};

/** A sync may have ended before it was cancelled. */
const expectEnded = (error: unknown): void => expect(error).toMatchObject({ code: "sync_not_running" });

async function runAll(calls: Readonly<Record<string, Call>>): Promise<void> {
	for (const [name, call] of Object.entries(calls))
		await call().catch((cause: unknown) => {
			throw new Error(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
		});
}

let gateway: gateways.TestGateway;
let routes: readonly string[];
beforeAll(async () => {
	routes = await recordRoutes(async () => {
		gateway = await gateways.startTestGateway(built);
	});
});
afterAll(() => gateway?.close());

const createServerClient = () =>
	getBody<{ id: string; client_secret: string }>(
		gateway.send("POST", "/v1/clients", { json: { name: "contract", scopes: SCOPES } }),
	);

const toGraph = (knowledgeBase: string): AgentGraph => ({
	name: "books",
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer from the passages." },
		{ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] },
	],
	edges: [{ from: "desk", to: "books", mode: "before" }],
});

describe("Stemma", () => {
	it("has a function for every route of the service, whose answers are as declared", async () => {
		const { id: clientId, client_secret: clientSecret } = await createServerClient();
		const { sent, fetch } = createRecorder();
		const stemma = new Stemma({ clientId, clientSecret, baseUrl: gateway.baseURL.slice(0, -3), fetch });
		const page = new Stemma({ session: true, baseUrl: stemma.client.baseUrl, fetch: withCookies(fetch) });
		const invite = (email: string) => stemma.invitations.create({ email, role: "admin" });
		const signIn = async (email: string) => {
			const { hash } = new URL((await invite(email)).link);
			return page.session.signIn({ token: hash.replace("#sign-in=", "") });
		};
		let userId = "";
		let authorizationId = "";
		const appRequest = await registerApp(stemma.client.baseUrl);
		const { knowledge, agents, runs, apiClients, clientKeys, llmSettings, workspaceSecrets, workspaces } =
			stemma;
		const base = await knowledge.create({ name: "Books" });
		const { documents, sources } = knowledge;
		const url = { settings: { kind: "url", url: "https://docs.stemma.invalid/page" } } as const;
		const source = await sources.create(base.id, url);
		const text = "# Harbour\n\nThe harbour opens at nine.";
		const file = { file: new Blob([text]), name: "harbour.md", source: "harbour.md" };
		const [document] = (await documents.upload(base.id, file)).data;
		if (document === undefined) return expect.unreachable();
		await documents.waitUntilReady(base.id, [document.id], { pollMs: 20 });
		const graph = toGraph(base.id);
		const agent = await agents.create({ graph, slug: "books" });
		const input = "When does the harbour open?";
		const searchScope = { knowledge_base_ids: [base.id] };
		const { threads } = stemma;
		const thread = await threads.create();
		await stemma.ask({ question: input, knowledge_base_ids: [base.id], thread_id: thread.id });
		const run = await agents.run("books", { input, thread_id: thread.id });
		const otherClient = await apiClients.create({ name: "other" });
		const origins = ["https://app.example"];
		const key = await clientKeys.create({ name: "app", origins });
		let second = { id: "" };
		let share = { id: "", token: "" };
		let answerId = "";
		const server_url = "https://crm.example/mcp";
		const endpoint = {
			provider: "openai-compatible",
			base_url: gateway.workspaceVendor.baseUrl,
			model: "own-model",
		};
		const settings = { ...endpoint, api_key: gateways.WORKSPACE_KEY };
		const chat = { model: "default", messages: [{ role: "user" as const, content: "Hello." }] };

		const calls: Record<string, Call> = {
			"health.alive": expectAnswer("ServiceHealth", () => stemma.health.alive()),
			"health.ready": expectAnswer("ServiceReadiness", () => stemma.health.ready()),
			"knowledge.create": expectAnswer("KnowledgeBase", () => knowledge.create({ name: "More books" })),
			"knowledge.list": expectAnswer("KnowledgeBasePage", () => knowledge.list({ limit: 1 })),
			"knowledge.get": expectAnswer("KnowledgeBase", () => knowledge.get(base.id)),
			"knowledge.update": expectAnswer("KnowledgeBase", () =>
				knowledge.update(base.id, { description: "All." }),
			),
			"knowledge.documents.addText": expectAnswer("DocumentUpload", () =>
				documents.addText(base.id, { text, source: "text.md", metadata: { language: "en" } }),
			),
			"knowledge.documents.upload": expectAnswer("DocumentUpload", () => documents.upload(base.id, file)),
			"knowledge.documents.list": expectAnswer("DocumentPage", () =>
				documents.list(base.id, { source: "harbour.md", status: "ready" }),
			),
			"knowledge.documents.get": expectAnswer("KnowledgeDocument", () => documents.get(base.id, document.id)),
			"knowledge.documents.text": async () =>
				expect(await documents.text(base.id, document.id, { start: 2, end: 9 })).toEqual({ text: "Harbour" }),
			"knowledge.documents.file": async () => {
				const { name, type, size, sha256, requestId, bytes } = await documents.file(base.id, document.id);
				expect({ name, type, size, sha256 }).toEqual({
					...{ name: "harbour.md", type: "text/plain" },
					...{ size: document.size_bytes, sha256: document.content_sha256 },
				});
				expect(requestId).toMatch(/^req_/);
				expect(new TextDecoder().decode(await bytes())).toBe(text);
			},
			"knowledge.documents.find": expectAnswer("KnowledgeDocument", () => documents.find(document.id)),
			"knowledge.documents.retry": expectAnswer("KnowledgeDocument", () =>
				documents.retry(base.id, document.id),
			),
			"knowledge.documents.waitUntilReady": async () => {
				const [ready] = await documents.waitUntilReady(base.id, [document.id], { pollMs: 20 });
				expectDescribed("KnowledgeDocument", ready ?? expect.unreachable());
			},
			accessToken: async () => expect(await stemma.accessToken()).toMatch(/^\S+$/),
			fetch: async () => {
				const answer = await stemma.fetch(`${gateway.baseURL}/models`);
				expectDescribed("ModelList", (await answer.json()) as ModelList);
			},
			search: expectAnswer("SearchResult", () => stemma.search({ query: input, ...searchScope })),
			ask: expectAnswer("Answer", () => stemma.ask({ question: input, ...searchScope })),
			"ask.stream": expectAnswer("Answer", () =>
				stemma.ask.stream({ question: input, ...searchScope }).answer(),
			),
			"ask.sendFeedback": expectAnswer("Feedback", async () => {
				const stored = await stemma.ask({ question: input, ...searchScope, store: true });
				expectDescribed("Answer", stored);
				answerId = stored.answer_id ?? "";
				return stemma.ask.sendFeedback(answerId, { rating: "down", comment: "No.", tags: ["wrong"] });
			}),
			"agents.create": expectAnswer("StoredAgent", () => agents.create({ graph, slug: "more-books" })),
			"agents.list": expectAnswer("StoredAgentPage", () => agents.list()),
			"agents.get": expectAnswer("StoredAgent", () => agents.get(agent.id)),
			"agents.replace": expectAnswer("StoredAgent", () => agents.replace("books", { graph })),
			"agents.versions.list": expectAnswer("AgentVersionPage", () => agents.versions.list("books")),
			"agents.versions.get": expectAnswer("AgentVersion", () => agents.versions.get("books", 1)),
			"agents.versions.restore": expectAnswer("StoredAgent", () => agents.versions.restore("books", 1)),
			"agents.run": expectAnswer("RunResult", () => agents.run("books", { input })),
			"agents.stream": expectRun(() => agents.stream("books", { input })),
			"agents.start": expectAnswer("StartedRun", () => agents.start("books", { input })),
			"runs.list": expectAnswer("RunPage", () => runs.list({ agent_id: "books" })),
			"runs.get": expectAnswer("RunRecord", () => runs.get(run.run_id)),
			"runs.stream": expectRun(() => runs.stream(run.run_id)),
			"runs.cancel": expectAnswer("RunRecord", () => runs.cancel(run.run_id)),
			"runs.decide": expectAnswer("RunRecord", async () => {
				await agents.create({ graph: toApprovalGraph("books"), slug: "asking" });
				const pausedRun = readPendingApproval(await agents.run("asking", { input }));
				return runs.decide(...pausedRun, { decision: "approve", reason: "It is right." });
			}),
			"runs.shares.create": expectAnswer("CreatedRunShare", async () => {
				const fields = ["input", "output", "steps", "receipt"] as const;
				const created = await runs.shares.create(run.run_id, { fields });
				share = created;
				return created;
			}),
			"runs.shares.open": expectAnswer("SharedRun", () => runs.shares.open(share.token)),
			"runs.shares.list": expectAnswer("RunSharePage", () => runs.shares.list()),
			"runs.shares.delete": expectAnswer("Deleted", () => runs.shares.delete(share.id)),
			"threads.create": expectAnswer("CreatedThread", () => threads.create({ agent_id: "books" })),
			"threads.list": expectAnswer("ThreadPage", () => threads.list({ query: "harbour" })),
			"threads.get": expectAnswer("Thread", () => threads.get(thread.id)),
			"threads.update": expectAnswer("Thread", () => threads.update(thread.id, { title: "Harbour" })),
			"threads.messages": expectAnswer("ThreadMessageList", () => threads.messages(thread.id)),
			"threads.export": expectAnswer("ThreadExport", () => threads.export(thread.id)),
			"threads.generateTitle": expectAnswer("Thread", () => threads.generateTitle(thread.id)),
			// Its runs go with a thread: feedback is sent on one of the other.
			"threads.delete": expectAnswer("Deleted", async () => threads.delete((await threads.create()).id)),
			"runs.sendFeedback": expectAnswer("Feedback", () =>
				runs.sendFeedback(run.run_id, { rating: "up", tags: ["clear"] }),
			),
			"feedback.list": expectAnswer("FeedbackPage", () => stemma.feedback.list()),
			"feedback.export": async () => {
				for await (const record of stemma.feedback.export()) expectDescribed("ExportedFeedback", record);
			},
			"runs.deleteFeedback": expectAnswer("Deleted", () => runs.deleteFeedback(run.run_id)),
			"ask.deleteFeedback": expectAnswer("Deleted", () => stemma.ask.deleteFeedback(answerId)),
			"apiClients.create": expectAnswer("CreatedApiClient", () => apiClients.create({ name: "one more" })),
			"apiClients.list": expectAnswer("ApiClientPage", () => apiClients.list()),
			"apiClients.get": expectAnswer("ApiClient", () => apiClients.get(otherClient.id)),
			"apiClients.rotate": expectAnswer("CreatedApiClient", () => apiClients.rotate(otherClient.id)),
			"apiClients.delete": expectAnswer("Deleted", () => apiClients.delete(otherClient.id)),
			"clientKeys.create": expectAnswer("CreatedClientKey", () =>
				clientKeys.create({ name: "app", origins, agents: ["books"], knowledge_base_ids: [base.id] }),
			),
			"clientKeys.list": expectAnswer("ClientKeyPage", () => clientKeys.list()),
			"clientKeys.get": expectAnswer("ClientKey", () => clientKeys.get(key.id)),
			"clientKeys.delete": expectAnswer("Deleted", () => clientKeys.delete(key.id)),
			"invitations.create": expectAnswer("CreatedInvitation", () => invite("grace@example.com")),
			"invitations.list": expectAnswer("InvitationPage", () => stemma.invitations.list()),
			"invitations.delete": expectAnswer("Deleted", async () =>
				stemma.invitations.delete((await invite("alan@example.com")).id),
			),
			"session.signIn": expectAnswer("CurrentSession", () => signIn("ada@example.com")),
			"session.workspaces": expectAnswer("UserWorkspaces", () => page.session.workspaces()),
			// The person came by an invitation, so that there is no other workspace to go to.
			"session.switchWorkspace": () =>
				expect(page.session.switchWorkspace({ workspace_id: "ws_unknown" })).rejects.toMatchObject({
					code: "workspace_not_found",
				}),
			"session.get": expectAnswer("CurrentSession", () => page.session.get()),
			"authorizations.preview": expectAnswer("AuthorizationPreview", () =>
				page.authorizations.preview(appRequest),
			),
			"authorizations.decide": expectAnswer("DecidedAuthorization", async () => {
				const decided = await page.authorizations.decide({ ...appRequest, decision: "allow" });
				await exchangeCode(stemma.client.baseUrl, appRequest, decided.redirect_to);
				return decided;
			}),
			"authorizations.list": expectAnswer("AuthorizationPage", async () => {
				const listed = await page.authorizations.list();
				authorizationId = listed.data[0]?.id ?? "";
				return listed;
			}),
			"authorizations.delete": expectAnswer("Deleted", () => page.authorizations.delete(authorizationId)),
			"session.listMethods": expectAnswer("SignInMethods", () => page.session.listMethods()),
			"session.list": expectAnswer("UserSessionPage", () => page.session.list()),
			"session.end": expectAnswer("Deleted", async () => {
				const { id } = await page.session.get();
				return page.session.end(id);
			}),
			"session.signOut": expectAnswer("SignedOut", async () => {
				await signIn("ada@example.com");
				return page.session.signOut();
			}),
			"session.endAll": expectAnswer("SignedOut", async () => {
				userId = (await signIn("grace@example.com")).user.id;
				return page.session.endAll();
			}),
			"members.list": expectAnswer("MemberPage", () => stemma.members.list()),
			"members.update": expectAnswer("Member", () => stemma.members.update(userId, { role: "viewer" })),
			"members.export": async () => {
				for await (const data of stemma.members.export(userId)) expectDescribed("MemberData", data);
			},
			"members.erase": expectAnswer("Deleted", async () => {
				const { user } = await signIn("lin@example.com");
				return stemma.members.erase(user.id);
			}),
			"members.delete": expectAnswer("Deleted", () => stemma.members.delete(userId)),
			"workspaces.create": async () => {
				const created = await workspaces.create({ name: "Second" });
				expectDescribed("CreatedWorkspace", created);
				second = created;
			},
			"workspaces.list": expectAnswer("WorkspacePage", () => workspaces.list()),
			"workspaces.get": expectAnswer("Workspace", () => workspaces.get(second.id)),
			"workspaces.update": expectAnswer("Workspace", () => workspaces.update(second.id, { name: "2nd" })),
			"workspaces.delete": expectAnswer("Deleted", () => workspaces.delete(second.id)),
			"embeddings.create": expectAnswer("Embeddings", () =>
				stemma.embeddings.create({ model: "default", input: "A page." }),
			),
			"chatCompletions.create": expectAnswer("ChatCompletion", () => stemma.chatCompletions.create(chat)),
			"chatCompletions.stream": async () => {
				const chunks: ChatCompletionChunk[] = [];
				for await (const chunk of stemma.chatCompletions.stream(chat)) chunks.push(chunk);
				expect(chunks).not.toEqual([]);
				for (const chunk of chunks) expectDescribed("ChatCompletionChunk", chunk);
			},
			"chatCompletions.models": expectAnswer("ModelList", () => stemma.chatCompletions.models()),
			"chatCompletions.resolveModels": expectAnswer("ResolvedModels", () =>
				stemma.chatCompletions.resolveModels({
					nodes: [{ node: "desk" }, { node: "handbook", stage: "rewrite" }],
					knowledge_base_ids: [base.id],
				}),
			),
			"chatCompletions.model": expectAnswer("ListedModel", () => stemma.chatCompletions.model("default")),
			"llmSettings.providers": expectAnswer("LlmProviders", () => llmSettings.providers()),
			"llmSettings.set": expectAnswer("SavedLlmSettings", () => llmSettings.set(settings)),
			"llmSettings.get": async () => expectDescribed("CurrentLlmSettings", await llmSettings.get()),
			"llmSettings.test": expectAnswer("LlmSettingsTest", () => llmSettings.test()),
			"llmSettings.stages": expectAnswer("LlmStages", () => llmSettings.stages()),
			"llmSettings.delete": async () => {
				await expectAnswer("DeletedLlmSettings", () => llmSettings.delete())();
				expectDescribed("CurrentLlmSettings", await llmSettings.get());
			},
			"workspaceSecrets.set": expectAnswer("WorkspaceSecret", () =>
				workspaceSecrets.set("crm", { server_url, value: "a token" }),
			),
			"workspaceSecrets.list": expectAnswer("WorkspaceSecretPage", () => workspaceSecrets.list()),
			"workspaceSecrets.get": expectAnswer("WorkspaceSecret", () => workspaceSecrets.get("crm")),
			"workspaceSecrets.delete": expectAnswer("Deleted", () => workspaceSecrets.delete("crm")),
			usage: expectAnswer("Usage", () => stemma.usage()),
			"audit.list": expectAnswer("AuditPage", () => stemma.audit.list({ limit: 100 })),
			"agents.delete": expectAnswer("Deleted", () => agents.delete(agent.id)),
			"knowledge.reindexes.get": expectAnswer("Reindex", () => knowledge.reindexes.get(base.id)),
			"knowledge.reindexes.plan": expectAnswer("Reindex", () =>
				knowledge.reindexes.plan(base.id, { to: "none" }),
			),
			"knowledge.reindexes.start": expectAnswer("Reindex", () =>
				knowledge.reindexes.start(base.id, { to: "none", payer: "none" }),
			),
			"knowledge.reindexes.drop": expectAnswer("Reindex", () => knowledge.reindexes.drop(base.id)),
			"knowledge.sources.create": expectAnswer("Source", () => sources.create(base.id, url)),
			"knowledge.sources.list": expectAnswer("SourcePage", () => sources.list(base.id)),
			"knowledge.sources.get": expectAnswer("Source", () => sources.get(base.id, source.id)),
			"knowledge.sources.update": expectAnswer("Source", () =>
				sources.update(base.id, source.id, { name: "Page", every_minutes: 60 }),
			),
			"knowledge.sources.sync": expectAnswer("SourceSync", () => sources.sync(base.id, source.id)),
			"knowledge.sources.cancelSync": () => sources.cancelSync(base.id, source.id).catch(expectEnded),
			"knowledge.sources.listSyncs": expectAnswer("SourceSyncPage", () =>
				sources.listSyncs(base.id, source.id),
			),
			"knowledge.sources.delete": expectAnswer("Deleted", () =>
				sources.delete(base.id, source.id, { keepDocuments: true }),
			),
			"knowledge.documents.delete": expectAnswer("Deleted", () => documents.delete(base.id, document.id)),
			"knowledge.delete": expectAnswer("Deleted", () => knowledge.delete(base.id, { force: true })),
		};
		await runAll(calls);
		expect(Object.keys(calls).sort()).toEqual(listFunctions(stemma).filter(needsNoAuthenticator).sort());
		expect(routes.length).toBeGreaterThan(40);
		expect(findUnused(routes, sent)).toEqual([]);
	});
});

describe("runtimeAgents", () => {
	const routesOfRuntime = Object.entries(ALLOWED_METHODS).map(
		([path, methods]) => `${methods.split(",")[0]} ${path}`,
	);
	let runtime: RunningRuntime;
	beforeAll(async () => {
		const base = await getBody<{ id: string }>(
			gateway.send("POST", "/v1/knowledge-bases", { json: { name: "Harbours" } }),
		);
		const document = { text: "# Harbour\n\nThe harbour opens at nine." };
		await getBody(gateway.send("POST", `/v1/knowledge-bases/${base.id}/documents`, { json: document }));
		await waitUntilIndexed(gateway.send, base.id);
		const { id: clientId, client_secret: clientSecret } = await createServerClient();
		runtime = await startRuntime({
			port: 0,
			token: "a-token-of-the-runtime",
			agents: { books: toGraph(base.id), asking: toApprovalGraph("books"), broken: { nodes: [] } },
			...connectService({ baseUrl: gateway.baseURL.slice(0, -3), clientId, clientSecret }),
			log: () => undefined,
		});
	});
	afterAll(() => runtime?.close(0));

	it("has a function for every route of the runtime, whose answers are as declared", async () => {
		const { sent, fetch } = createRecorder();
		const agents = runtimeAgents({ baseUrl: runtime.url, token: "a-token-of-the-runtime", fetch });
		const input = "When does the harbour open?";
		const run = await agents.run("books", { input });
		const calls: Record<string, Call> = {
			health: expectAnswer("RuntimeHealth", () => agents.health()),
			ready: expectAnswer("RuntimeReadiness", () => agents.ready()),
			list: expectAnswer("RuntimeAgentList", () => agents.list()),
			run: expectAnswer("RunResult", () => agents.run("books", { input })),
			stream: expectRun(() => agents.stream("books", { input })),
			"runs.stream": expectRun(() => agents.runs.stream(run.run_id)),
			"runs.cancel": expectAnswer("RunRecord", () => agents.runs.cancel(run.run_id)),
			"runs.decide": expectAnswer("RunRecord", async () =>
				agents.runs.decide(...readPendingApproval(await agents.run("asking", { input })), {
					decision: "deny",
				}),
			),
		};
		await runAll(calls);
		expect(Object.keys(calls).sort()).toEqual([...listFunctions(agents)].sort());
		expect(routesOfRuntime.length).toBeGreaterThan(4);
		expect(findUnused(routesOfRuntime, sent)).toEqual([]);
	});
});
