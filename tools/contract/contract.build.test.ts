import {
	type AgentRunStream,
	type AuthorizationRequest,
	type Fetch,
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
import type { Shape } from "./shape";
import * as shapes from "./wire-shapes";

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

/** Checks for a function without passkeys, whose shapes and routes are looked at beside those routes. */
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
	expect(shapes.pausedResult.check(result, "result")).toEqual([]);
	return [result.run_id, result.approvals?.[0]?.id ?? ""];
}

type Call = () => Promise<unknown>;

/** A call whose answer must look as its type says, and has the id of its request. */
const expectShape =
	<Answer>(shape: Shape<Answer>, call: () => PromiseLike<WithRequestId<Answer>>): Call =>
	async () => {
		const answer = await call();
		expect(shape.check(answer, "answer")).toEqual([]);
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
		expect(shapes.runResult.check(await stream.result(), "result")).toEqual([]);
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
			"health.alive": expectShape(shapes.serviceHealth, () => stemma.health.alive()),
			"health.ready": expectShape(shapes.serviceReadiness, () => stemma.health.ready()),
			"knowledge.create": expectShape(shapes.knowledgeBase, () => knowledge.create({ name: "More books" })),
			"knowledge.list": expectShape(shapes.page(shapes.knowledgeBase), () => knowledge.list({ limit: 1 })),
			"knowledge.get": expectShape(shapes.knowledgeBase, () => knowledge.get(base.id)),
			"knowledge.update": expectShape(shapes.knowledgeBase, () =>
				knowledge.update(base.id, { description: "All." }),
			),
			"knowledge.documents.addText": expectShape(shapes.documentUpload, () =>
				documents.addText(base.id, { text, source: "text.md", metadata: { language: "en" } }),
			),
			"knowledge.documents.upload": expectShape(shapes.documentUpload, () => documents.upload(base.id, file)),
			"knowledge.documents.list": expectShape(shapes.page(shapes.document), () =>
				documents.list(base.id, { source: "harbour.md", status: "ready" }),
			),
			"knowledge.documents.get": expectShape(shapes.document, () => documents.get(base.id, document.id)),
			"knowledge.documents.text": expectShape(shapes.readText, () =>
				documents.text(base.id, document.id, { start: 2, end: 9 }),
			),
			"knowledge.documents.file": async () => {
				const { name, type, size, sha256, requestId, bytes } = await documents.file(base.id, document.id);
				expect({ name, type, size, sha256 }).toEqual({
					...{ name: "harbour.md", type: "text/plain" },
					...{ size: document.size_bytes, sha256: document.content_sha256 },
				});
				expect(requestId).toMatch(/^req_/);
				expect(new TextDecoder().decode(await bytes())).toBe(text);
			},
			"knowledge.documents.find": expectShape(shapes.document, () => documents.find(document.id)),
			"knowledge.documents.retry": expectShape(shapes.document, () => documents.retry(base.id, document.id)),
			"knowledge.documents.waitUntilReady": async () => {
				const ready = await documents.waitUntilReady(base.id, [document.id], { pollMs: 20 });
				expect(shapes.document.check(ready[0], "document")).toEqual([]);
			},
			accessToken: async () => expect(await stemma.accessToken()).toMatch(/^\S+$/),
			fetch: async () => {
				const answer = await stemma.fetch(`${gateway.baseURL}/models`);
				expect(shapes.modelList.check((await answer.json()) as object, "models")).toEqual([]);
			},
			search: expectShape(shapes.searchResult, () => stemma.search({ query: input, ...searchScope })),
			ask: expectShape(shapes.answer, () => stemma.ask({ question: input, ...searchScope })),
			"ask.stream": expectShape(shapes.answer, () =>
				stemma.ask.stream({ question: input, ...searchScope }).answer(),
			),
			"ask.sendFeedback": expectShape(shapes.feedback, async () => {
				const stored = await stemma.ask({ question: input, ...searchScope, store: true });
				expect(shapes.answer.check(stored, "answer")).toEqual([]);
				answerId = stored.answer_id ?? "";
				return stemma.ask.sendFeedback(answerId, { rating: "down", comment: "No.", tags: ["wrong"] });
			}),
			"agents.create": expectShape(shapes.storedAgent, () => agents.create({ graph, slug: "more-books" })),
			"agents.list": expectShape(shapes.page(shapes.agentSummary), () => agents.list()),
			"agents.get": expectShape(shapes.storedAgent, () => agents.get(agent.id)),
			"agents.replace": expectShape(shapes.storedAgent, () => agents.replace("books", { graph })),
			"agents.versions.list": expectShape(shapes.page(shapes.agentVersionSummary), () =>
				agents.versions.list("books"),
			),
			"agents.versions.get": expectShape(shapes.agentVersion, () => agents.versions.get("books", 1)),
			"agents.versions.restore": expectShape(shapes.storedAgent, () => agents.versions.restore("books", 1)),
			"agents.run": expectShape(shapes.runResult, () => agents.run("books", { input })),
			"agents.stream": expectRun(() => agents.stream("books", { input })),
			"agents.start": expectShape(shapes.startedRun, () => agents.start("books", { input })),
			"runs.list": expectShape(shapes.page(shapes.runRecord), () => runs.list({ agent_id: "books" })),
			"runs.get": expectShape(shapes.runRecord, () => runs.get(run.run_id)),
			"runs.stream": expectRun(() => runs.stream(run.run_id)),
			"runs.cancel": expectShape(shapes.runRecord, () => runs.cancel(run.run_id)),
			"runs.decide": expectShape(shapes.runRecord, async () => {
				await agents.create({ graph: toApprovalGraph("books"), slug: "asking" });
				const pausedRun = readPendingApproval(await agents.run("asking", { input }));
				return runs.decide(...pausedRun, { decision: "approve", reason: "It is right." });
			}),
			"runs.shares.create": expectShape(shapes.createdRunShare, async () => {
				const fields = ["input", "output", "steps", "receipt"] as const;
				const created = await runs.shares.create(run.run_id, { fields });
				share = created;
				return created;
			}),
			"runs.shares.open": expectShape(shapes.sharedRun, () => runs.shares.open(share.token)),
			"runs.shares.list": expectShape(shapes.page(shapes.runShare), () => runs.shares.list()),
			"runs.shares.delete": expectShape(shapes.deleted, () => runs.shares.delete(share.id)),
			"threads.create": expectShape(shapes.createdThread, () => threads.create({ agent_id: "books" })),
			"threads.list": expectShape(shapes.page(shapes.thread), () => threads.list({ query: "harbour" })),
			"threads.get": expectShape(shapes.thread, () => threads.get(thread.id)),
			"threads.update": expectShape(shapes.thread, () => threads.update(thread.id, { title: "Harbour" })),
			"threads.messages": expectShape(shapes.threadMessages, () => threads.messages(thread.id)),
			"threads.export": expectShape(shapes.threadExport, () => threads.export(thread.id)),
			"threads.generateTitle": expectShape(shapes.thread, () => threads.generateTitle(thread.id)),
			// Its runs go with a thread: feedback is sent on one of the other.
			"threads.delete": expectShape(shapes.deleted, async () => threads.delete((await threads.create()).id)),
			"runs.sendFeedback": expectShape(shapes.feedback, () =>
				runs.sendFeedback(run.run_id, { rating: "up", tags: ["clear"] }),
			),
			"feedback.list": expectShape(shapes.page(shapes.feedbackRecord), () => stemma.feedback.list()),
			"feedback.export": async () => {
				for await (const record of stemma.feedback.export())
					expect(shapes.exportedFeedback.check(record, "feedback")).toEqual([]);
			},
			"runs.deleteFeedback": expectShape(shapes.deleted, () => runs.deleteFeedback(run.run_id)),
			"ask.deleteFeedback": expectShape(shapes.deleted, () => stemma.ask.deleteFeedback(answerId)),
			"apiClients.create": expectShape(shapes.createdClient, () => apiClients.create({ name: "one more" })),
			"apiClients.list": expectShape(shapes.page(shapes.serverClient), () => apiClients.list()),
			"apiClients.get": expectShape(shapes.serverClient, () => apiClients.get(otherClient.id)),
			"apiClients.rotate": expectShape(shapes.createdClient, () => apiClients.rotate(otherClient.id)),
			"apiClients.delete": expectShape(shapes.deleted, () => apiClients.delete(otherClient.id)),
			"clientKeys.create": expectShape(shapes.createdKey, () =>
				clientKeys.create({ name: "app", origins, agents: ["books"], knowledge_base_ids: [base.id] }),
			),
			"clientKeys.list": expectShape(shapes.page(shapes.clientKey), () => clientKeys.list()),
			"clientKeys.get": expectShape(shapes.clientKey, () => clientKeys.get(key.id)),
			"clientKeys.delete": expectShape(shapes.deleted, () => clientKeys.delete(key.id)),
			"invitations.create": expectShape(shapes.createdInvitation, () => invite("grace@example.com")),
			"invitations.list": expectShape(shapes.page(shapes.invitation), () => stemma.invitations.list()),
			"invitations.delete": expectShape(shapes.deleted, async () =>
				stemma.invitations.delete((await invite("alan@example.com")).id),
			),
			"session.signIn": expectShape(shapes.currentSession, () => signIn("ada@example.com")),
			"session.workspaces": expectShape(shapes.userWorkspaces, () => page.session.workspaces()),
			// The person came by an invitation, so that there is no other workspace to go to.
			"session.switchWorkspace": () =>
				expect(page.session.switchWorkspace({ workspace_id: "ws_unknown" })).rejects.toMatchObject({
					code: "workspace_not_found",
				}),
			"session.get": expectShape(shapes.currentSession, () => page.session.get()),
			"authorizations.preview": expectShape(shapes.authorizationPreview, () =>
				page.authorizations.preview(appRequest),
			),
			"authorizations.decide": expectShape(shapes.decidedAuthorization, async () => {
				const decided = await page.authorizations.decide({ ...appRequest, decision: "allow" });
				await exchangeCode(stemma.client.baseUrl, appRequest, decided.redirect_to);
				return decided;
			}),
			"authorizations.list": expectShape(shapes.page(shapes.authorization), async () => {
				const listed = await page.authorizations.list();
				authorizationId = listed.data[0]?.id ?? "";
				return listed;
			}),
			"authorizations.delete": expectShape(shapes.deleted, () => page.authorizations.delete(authorizationId)),
			"session.listMethods": expectShape(shapes.signInMethods, () => page.session.listMethods()),
			"session.list": expectShape(shapes.page(shapes.userSession), () => page.session.list()),
			"session.end": expectShape(shapes.deleted, async () => {
				const { id } = await page.session.get();
				return page.session.end(id);
			}),
			"session.signOut": expectShape(shapes.signedOut, async () => {
				await signIn("ada@example.com");
				return page.session.signOut();
			}),
			"session.endAll": expectShape(shapes.signedOut, async () => {
				userId = (await signIn("grace@example.com")).user.id;
				return page.session.endAll();
			}),
			"members.list": expectShape(shapes.page(shapes.member), () => stemma.members.list()),
			"members.update": expectShape(shapes.member, () => stemma.members.update(userId, { role: "viewer" })),
			"members.export": async () => {
				for await (const data of stemma.members.export(userId))
					expect(shapes.memberProfile.check(data, "data")).toEqual([]);
			},
			"members.erase": expectShape(shapes.deleted, async () => {
				const { user } = await signIn("lin@example.com");
				return stemma.members.erase(user.id);
			}),
			"members.delete": expectShape(shapes.deleted, () => stemma.members.delete(userId)),
			"workspaces.create": async () => {
				second = await workspaces.create({ name: "Second" });
				expect(shapes.createdWorkspace.check(second, "workspace")).toEqual([]);
			},
			"workspaces.list": expectShape(shapes.page(shapes.workspace), () => workspaces.list()),
			"workspaces.get": expectShape(shapes.workspace, () => workspaces.get(second.id)),
			"workspaces.update": expectShape(shapes.workspace, () => workspaces.update(second.id, { name: "2nd" })),
			"workspaces.delete": expectShape(shapes.deleted, () => workspaces.delete(second.id)),
			"embeddings.create": expectShape(shapes.embeddings, () =>
				stemma.embeddings.create({ model: "default", input: "A page." }),
			),
			"chatCompletions.create": expectShape(shapes.chatCompletion, () => stemma.chatCompletions.create(chat)),
			"chatCompletions.stream": async () => {
				const chunks: object[] = [];
				for await (const chunk of stemma.chatCompletions.stream(chat)) chunks.push(chunk);
				expect(shapes.chatCompletionChunks.check(chunks, "chunks")).toEqual([]);
			},
			"chatCompletions.models": expectShape(shapes.modelList, () => stemma.chatCompletions.models()),
			"chatCompletions.resolveModels": expectShape(shapes.resolvedModels, () =>
				stemma.chatCompletions.resolveModels({
					nodes: [{ node: "desk" }, { node: "handbook", stage: "rewrite" }],
					knowledge_base_ids: [base.id],
				}),
			),
			"chatCompletions.model": expectShape(shapes.listedModel, () => stemma.chatCompletions.model("default")),
			"llmSettings.providers": expectShape(shapes.llmProviders, () => llmSettings.providers()),
			"llmSettings.set": expectShape(shapes.savedSettings, () => llmSettings.set(settings)),
			"llmSettings.get": async () =>
				expect(shapes.llmSettings.check(await llmSettings.get(), "settings")).toEqual([]),
			"llmSettings.test": expectShape(shapes.settingsTest, () => llmSettings.test()),
			"llmSettings.stages": expectShape(shapes.llmStages, () => llmSettings.stages()),
			"llmSettings.delete": async () => {
				await expectShape(shapes.deletedSettings, () => llmSettings.delete())();
				expect(shapes.unsetSettings.check(await llmSettings.get(), "settings")).toEqual([]);
			},
			"workspaceSecrets.set": expectShape(shapes.workspaceSecret, () =>
				workspaceSecrets.set("crm", { server_url, value: "a token" }),
			),
			"workspaceSecrets.list": expectShape(shapes.page(shapes.workspaceSecret), () =>
				workspaceSecrets.list(),
			),
			"workspaceSecrets.get": expectShape(shapes.workspaceSecret, () => workspaceSecrets.get("crm")),
			"workspaceSecrets.delete": expectShape(shapes.deleted, () => workspaceSecrets.delete("crm")),
			usage: expectShape(shapes.usage, () => stemma.usage()),
			"audit.list": expectShape(shapes.page(shapes.auditRecord), () => stemma.audit.list({ limit: 100 })),
			"agents.delete": expectShape(shapes.deleted, () => agents.delete(agent.id)),
			"knowledge.reindexes.get": expectShape(shapes.reindex, () => knowledge.reindexes.get(base.id)),
			"knowledge.reindexes.plan": expectShape(shapes.reindex, () =>
				knowledge.reindexes.plan(base.id, { to: "none" }),
			),
			"knowledge.reindexes.start": expectShape(shapes.reindex, () =>
				knowledge.reindexes.start(base.id, { to: "none", payer: "none" }),
			),
			"knowledge.reindexes.drop": expectShape(shapes.reindex, () => knowledge.reindexes.drop(base.id)),
			"knowledge.sources.create": expectShape(shapes.source, () => sources.create(base.id, url)),
			"knowledge.sources.list": expectShape(shapes.page(shapes.source), () => sources.list(base.id)),
			"knowledge.sources.get": expectShape(shapes.source, () => sources.get(base.id, source.id)),
			"knowledge.sources.update": expectShape(shapes.source, () =>
				sources.update(base.id, source.id, { name: "Page", every_minutes: 60 }),
			),
			"knowledge.sources.sync": expectShape(shapes.sourceSync, () => sources.sync(base.id, source.id)),
			"knowledge.sources.cancelSync": () => sources.cancelSync(base.id, source.id).catch(expectEnded),
			"knowledge.sources.listSyncs": expectShape(shapes.page(shapes.sourceSync), () =>
				sources.listSyncs(base.id, source.id),
			),
			"knowledge.sources.delete": expectShape(shapes.deleted, () =>
				sources.delete(base.id, source.id, { keepDocuments: true }),
			),
			"knowledge.documents.delete": expectShape(shapes.deleted, () => documents.delete(base.id, document.id)),
			"knowledge.delete": expectShape(shapes.deleted, () => knowledge.delete(base.id, { force: true })),
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
			health: expectShape(shapes.runtimeHealth, () => agents.health()),
			ready: expectShape(shapes.runtimeReadiness, () => agents.ready()),
			list: expectShape(shapes.runtimeAgents, () => agents.list()),
			run: expectShape(shapes.runResult, () => agents.run("books", { input })),
			stream: expectRun(() => agents.stream("books", { input })),
			"runs.stream": expectRun(() => agents.runs.stream(run.run_id)),
			"runs.cancel": expectShape(shapes.runRecord, () => agents.runs.cancel(run.run_id)),
			"runs.decide": expectShape(shapes.runRecord, async () =>
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
