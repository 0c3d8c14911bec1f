import * as built from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toFileId } from "./sources/push/pushed-file";
import { expectApiError, readApiError } from "./test-support/expect-error";
import type { TestRequest, TestResponse } from "./test-support/send-request";
import { readDocumentedRoutes, recordRoutes } from "./test-support/service-routes";
import {
	addTenant,
	getBody,
	listPrivateValues,
	readEverything,
	SHARED_SECRET,
	SHARED_SLUG,
	SHARED_SOURCE,
	SHARED_WORD,
	type Tenant,
	toKnowledgeGraph,
	VISITOR,
	waitUntilIndexed,
} from "./test-support/tenant";
import { openTestDeployment, type TestDeployment } from "./test-support/test-deployment";

let deployment: TestDeployment;
let routes: readonly string[];
let mine: Tenant;
let theirs: Tenant;
/** All models answer there, each with its own key. */
let vendor: OpenAiSimulator;

beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	const credential = { value: "sk-deployment" };
	routes = await recordRoutes(async () => {
		deployment = await openTestDeployment(built, {
			embeddings: { base_url: vendor.baseUrl, model: "vectors", credential },
		});
	});
	mine = await addTenant(deployment, "aardvark", vendor.baseUrl);
	theirs = await addTenant(deployment, "zebrafish", vendor.baseUrl);
});
afterAll(async () => {
	await deployment?.close();
	await vendor?.close();
});

/** One try to get at what is theirs, with what is mine. */
interface Attempt {
	readonly path: string;
	readonly request: TestRequest;
	/** What is right: a refusal, a graph that does not fit, or an answer that has nothing of theirs. */
	readonly answer: "refusal" | "invalid" | "own";
}

const refused = (path: string, request: TestRequest = {}): Attempt => ({ path, request, answer: "refusal" });
const invalid = (path: string, request: TestRequest): Attempt => ({ path, request, answer: "invalid" });
const own = (path: string, request: TestRequest = {}): Attempt => ({ path, request, answer: "own" });

const input = { input: `When does the ${SHARED_WORD} open?` };
const question = `When does the ${SHARED_WORD} open?`;
const text = `The ${SHARED_WORD} is closed.`;

/** For each route all ways to name what is theirs. */
const ATTEMPTS: Readonly<Record<string, (mine: Tenant, theirs: Tenant) => readonly Attempt[]>> = {
	"GET /": () => [own("/")],
	// Files of the web app, the same for everybody.
	"GET /assets/:id": () => [refused("/assets/unknown.js")],
	// It leads everybody to the same page.
	"GET /oauth/authorize": () => [],
	// Apps belong to no workspace; the tests of authorizations try what they can do.
	"POST /oauth/register": () => [],
	"POST /oauth/revoke": () => [],
	"GET /healthz": () => [own("/healthz")],
	"GET /readyz": () => [own("/readyz")],
	// For the operator alone, with a token of its own.
	"GET /metrics": () => [refused("/metrics")],
	"GET /openapi.json": () => [own("/openapi.json")],
	"GET /docs": () => [own("/docs")],
	"GET /docs/assets/:id": () => [refused("/docs/assets/unknown.js")],
	"POST /oauth/token": (a, b) => [
		refusedToken(a.credentials.client_id, b.credentials.client_secret),
		refusedToken(b.credentials.client_id, a.credentials.client_secret),
		refusedToken(b.client, a.clientSecret),
	],

	"POST /v1/clients": () => [own("/v1/clients", { json: { name: "server" } })],
	"GET /v1/clients": (_, b) => [
		own("/v1/clients"),
		...pagesAfter("/v1/clients", b.client, b.credentials.client_id),
	],
	"GET /v1/clients/:id": (_, b) => [refused(`/v1/clients/${b.client}`)],
	"DELETE /v1/clients/:id": (_, b) => [
		refused(`/v1/clients/${b.client}`),
		refused(`/v1/clients/${b.credentials.client_id}`),
	],
	"POST /v1/clients/:id/rotate": (_, b) => [refused(`/v1/clients/${b.client}/rotate`)],

	"POST /v1/client-keys": () => [own("/v1/client-keys", { json: { name: "app", native: true } })],
	"GET /v1/client-keys": (_, b) => [own("/v1/client-keys"), ...pagesAfter("/v1/client-keys", b.keyId)],
	"GET /v1/client-keys/:id": (_, b) => [refused(`/v1/client-keys/${b.keyId}`)],
	"DELETE /v1/client-keys/:id": (_, b) => [
		refused(`/v1/client-keys/${b.keyId}`),
		refused(`/v1/client-keys/${b.clientKey}`),
	],

	// The tests of people try each route as people of both workspaces.
	"POST /v1/session": () => [refused("/v1/session", { json: { token: "sl_unknown" } })],
	"POST /v1/session/passkey": () => [refused("/v1/session/passkey", { json: {} })],
	"POST /v1/session/passkey/options": () => [refused("/v1/session/passkey/options")],
	"GET /v1/sign-in": () => [own("/v1/sign-in")],
	"GET /v1/sign-in/:id": () => [refused("/v1/sign-in/unknown")],
	"GET /v1/sign-in/:id/callback": () => [refused("/v1/sign-in/unknown/callback")],
	"POST /v1/sign-in/:id/logout": () => [refused("/v1/sign-in/unknown/logout")],
	"POST /v1/passkeys/options": () => [refused("/v1/passkeys/options")],
	"POST /v1/passkeys": () => [refused("/v1/passkeys", { json: {} })],
	"GET /v1/passkeys": () => [refused("/v1/passkeys")],
	"PATCH /v1/passkeys/:id": () => [refused("/v1/passkeys/pk_unknown", { json: { name: "mine" } })],
	"DELETE /v1/passkeys/:id": () => [refused("/v1/passkeys/pk_unknown")],
	"GET /v1/session/workspaces": () => [refused("/v1/session/workspaces")],
	"POST /v1/session/workspace": (_, b) => [
		refused("/v1/session/workspace", { json: { workspace_id: b.credentials.workspace_id } }),
	],
	"GET /v1/session": () => [refused("/v1/session")],
	"DELETE /v1/session": () => [refused("/v1/session")],
	"GET /v1/sessions": (_, b) => [refused(`/v1/sessions?user_id=${b.user}`)],
	"DELETE /v1/sessions": () => [refused("/v1/sessions")],
	"DELETE /v1/sessions/:id": () => [refused("/v1/sessions/ses_unknown")],
	"POST /v1/authorization-requests": () => [refused("/v1/authorization-requests", { json: {} })],
	"POST /v1/authorizations": () => [refused("/v1/authorizations", { json: {} })],
	"GET /v1/authorizations": (_, b) => [refused(`/v1/authorizations?user_id=${b.user}`)],
	"DELETE /v1/authorizations/:id": () => [refused("/v1/authorizations/aut_unknown")],
	"GET /v1/members": (_, b) => [
		own("/v1/members"),
		own("/v1/members?status=removed"),
		...pagesAfter("/v1/members", b.user),
	],
	"PATCH /v1/members/:id": (_, b) => [refused(`/v1/members/${b.user}`, { json: { role: "admin" } })],
	"DELETE /v1/members/:id": (_, b) => [refused(`/v1/members/${b.user}`)],
	"GET /v1/members/:id/export": (_, b) => [refused(`/v1/members/${b.user}/export`)],
	"DELETE /v1/members/:id/data": (_, b) => [refused(`/v1/members/${b.user}/data`)],
	"POST /v1/invitations": () => [
		own("/v1/invitations", { json: { email: "guest@example.com", role: "viewer" } }),
	],
	"GET /v1/invitations": (_, b) => [own("/v1/invitations"), ...pagesAfter("/v1/invitations", b.invitation)],
	"DELETE /v1/invitations/:id": (_, b) => [refused(`/v1/invitations/${b.invitation}`)],

	// The first client of another workspace manages none.
	"POST /v1/workspaces": () => [refused("/v1/workspaces", { json: { name: "mine" } })],
	"GET /v1/workspaces": () => [refused("/v1/workspaces"), refused("/v1/workspaces?limit=100")],
	"GET /v1/workspaces/:id": (a, b) =>
		[a, b].map(({ credentials }) => refused(`/v1/workspaces/${credentials.workspace_id}`)),
	"PATCH /v1/workspaces/:id": (_, b) => [
		refused(`/v1/workspaces/${b.credentials.workspace_id}`, { json: { name: "mine" } }),
	],
	"DELETE /v1/workspaces/:id": (_, b) => [refused(`/v1/workspaces/${b.credentials.workspace_id}`)],

	"POST /v1/knowledge-bases": () => [own("/v1/knowledge-bases", { json: { name: "more books" } })],
	"GET /v1/knowledge-bases": (_, b) => [
		own("/v1/knowledge-bases"),
		...pagesAfter("/v1/knowledge-bases", b.knowledgeBase),
	],
	"GET /v1/knowledge-bases/:id": (_, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}`),
		refused(`/v1/knowledge-bases/${b.knowledgeBaseSlug}`),
	],
	"PATCH /v1/knowledge-bases/:id": (_, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}`, { json: { name: "mine now" } }),
	],
	"DELETE /v1/knowledge-bases/:id": (_, b) => [refused(`/v1/knowledge-bases/${b.knowledgeBase}`)],
	"POST /v1/knowledge-bases/:id/reindex": (_, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}/reindex`, { json: { to: "none" } }),
		refused(`/v1/knowledge-bases/${b.knowledgeBaseSlug}/reindex`, { json: { dry_run: true } }),
	],
	"GET /v1/knowledge-bases/:id/reindex": (_, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}/reindex`),
	],
	"DELETE /v1/knowledge-bases/:id/reindex": (_, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}/reindex`),
	],
	"POST /v1/knowledge-bases/:id/documents": (_, b) => {
		const path = `/v1/knowledge-bases/${b.knowledgeBase}/documents`;
		const form = new FormData();
		form.append("file", new File([text], "a.md"));
		return [
			refused(path, { json: { text, source: SHARED_SOURCE } }),
			refused(path, { json: { text: "new" } }),
			refused(path, { body: form }),
		];
	},
	"GET /v1/knowledge-bases/:id/documents": (a, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}/documents`),
		refused(`/v1/knowledge-bases/${b.knowledgeBase}/documents?source=${SHARED_SOURCE}`),
		...pagesAfter(`/v1/knowledge-bases/${a.knowledgeBase}/documents`, b.document),
	],
	"GET /v1/knowledge-bases/:id/documents/:id": refusedDocuments,
	"GET /v1/knowledge-bases/:id/documents/:id/file": (a, b) => refusedDocuments(a, b, "/file"),
	"GET /v1/knowledge-bases/:id/documents/:id/text": (a, b) => refusedDocuments(a, b, "/text"),
	"POST /v1/knowledge-bases/:id/documents/:id/retry": (a, b) => refusedDocuments(a, b, "/retry"),
	"DELETE /v1/knowledge-bases/:id/documents/:id": refusedDocuments,
	"POST /v1/knowledge-bases/:id/sources": (_, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}/sources`, { json: { settings: PAGE } }),
	],
	"GET /v1/knowledge-bases/:id/sources": (a, b) => [
		refused(`/v1/knowledge-bases/${b.knowledgeBase}/sources`),
		...pagesAfter(`/v1/knowledge-bases/${a.knowledgeBase}/sources`, b.source),
	],
	"GET /v1/knowledge-bases/:id/sources/:id": (a, b) => refusedSources(a, b),
	"PATCH /v1/knowledge-bases/:id/sources/:id": (a, b) => refusedSources(a, b, "", { json: { name: "mine" } }),
	"DELETE /v1/knowledge-bases/:id/sources/:id": (a, b) => refusedSources(a, b),
	"GET /v1/knowledge-bases/:id/sources/:id/syncs": (a, b) => refusedSources(a, b, "/syncs"),
	"POST /v1/knowledge-bases/:id/sources/:id/sync": (a, b) => refusedSources(a, b, "/sync", { json: {} }),
	"POST /v1/knowledge-bases/:id/sources/:id/sync/cancel": (a, b) => refusedSources(a, b, "/sync/cancel"),
	"GET /v1/documents/:id": (_, b) => [refused(`/v1/documents/${b.document}`)],
	"GET /v1/documents/:id/file": (a, b) => refusedAddresses(a, b, "file"),
	"GET /v1/documents/:id/text": (a, b) => refusedAddresses(a, b, "text"),

	"POST /v1/search": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			...searchesOf(a, b).map((ids) =>
				refused("/v1/search", { token, json: { query: SHARED_WORD, knowledge_base_ids: ids } }),
			),
			own("/v1/search", {
				token,
				json: { query: `${SHARED_WORD} opens`, knowledge_base_ids: [a.knowledgeBase] },
			}),
			own("/v1/search", {
				token,
				json: {
					query: SHARED_WORD,
					knowledge_base_ids: [a.knowledgeBase],
					filter: { knowledge_base_id: b.knowledgeBase },
				},
			}),
		]),
	"POST /v1/ask": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			...searchesOf(a, b).map((ids) =>
				refused("/v1/ask", { token, json: { question, knowledge_base_ids: ids } }),
			),
			refused("/v1/ask", { token, json: { question, knowledge_base_ids: [b.knowledgeBase], stream: true } }),
			...foreignPlaces(a, b).map((place) =>
				refused("/v1/ask", {
					...{ token, ...withThreadToken(b) },
					json: { question, knowledge_base_ids: [a.knowledgeBase], ...place },
				}),
			),
			own("/v1/ask", { token, json: { question, knowledge_base_ids: [a.knowledgeBase] } }),
			...[question, `${question} And when does it close?`].map((asked) =>
				own("/v1/ask", {
					token,
					json: { question: asked, knowledge_base_ids: [a.knowledgeBase], stream: true },
				}),
			),
		]),
	"GET /v1/models": (a) => [own("/v1/models"), own("/v1/models", { token: a.clientKey })],
	"GET /v1/models/:id": (a) => [own("/v1/models/default"), own("/v1/models/default", { token: a.clientKey })],
	"POST /v1/models/resolve": (a, b) =>
		[a.token, a.clientKey].map((token) =>
			own("/v1/models/resolve", {
				token,
				json: { nodes: [{ node: "desk" }], knowledge_base_ids: [b.knowledgeBase] },
			}),
		),
	"POST /v1/chat/completions": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			own("/v1/chat/completions", {
				token,
				json: {
					model: "default",
					messages: [{ role: "user", content: question }],
					stemma: { run_id: b.run, node: "desk", knowledge_base_ids: [b.knowledgeBase] },
				},
			}),
			...[`agent:${b.agent}`, `agent:${b.slug}`, `kb:${b.knowledgeBase}`].map((model) =>
				refused("/v1/chat/completions", {
					token,
					json: { model, messages: [{ role: "user", content: question }] },
				}),
			),
			own("/v1/chat/completions", {
				token,
				json: {
					model: `agent:${SHARED_SLUG}`,
					messages: [{ role: "user", content: question }],
				},
			}),
		]),

	"POST /v1/responses": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			...[`agent:${b.agent}`, `agent:${b.slug}`, `kb:${b.knowledgeBase}`].map((model) =>
				refused("/v1/responses", { token, json: { model, input: question } }),
			),
			...[b.response, b.keyResponse].flatMap((id) => [
				refused("/v1/responses", {
					token,
					headers: VISITED,
					json: { model: "default", input: question, previous_response_id: id },
				}),
				refused("/v1/responses", {
					token,
					headers: VISITED,
					json: { model: "default", input: [{ type: "item_reference", id: toItemId(id) }] },
				}),
			]),
			own("/v1/responses", { token, json: { model: `agent:${SHARED_SLUG}`, input: question } }),
		]),
	"GET /v1/responses/:id": (a, b) => responsesOf(a, b),
	"DELETE /v1/responses/:id": (a, b) => responsesOf(a, b),
	"GET /v1/responses/:id/input_items": (a, b) => responsesOf(a, b, "/input_items"),
	"POST /v1/responses/:id/cancel": (a, b) => responsesOf(a, b, "/cancel"),
	"POST /v1/messages": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			...[`agent:${b.agent}`, `agent:${b.slug}`, `kb:${b.knowledgeBase}`].map((model) =>
				refused("/v1/messages", { token, json: toMessage(model) }),
			),
			own("/v1/messages", { token, json: toMessage("default") }),
			own("/v1/messages", { token, json: toMessage(`agent:${SHARED_SLUG}`) }),
		]),
	"POST /v1/messages/count_tokens": (a) => [
		own("/v1/messages/count_tokens", { token: a.token, json: toMessage("default") }),
	],

	"POST /v1/agents": (_, b) => [
		invalid("/v1/agents", { json: { graph: toKnowledgeGraph("guest", b.knowledgeBase) } }),
	],
	"GET /v1/agents": (_, b) => [own("/v1/agents"), ...pagesAfter("/v1/agents", b.agent)],
	"GET /v1/agents/:id": (a, b) => [
		refused(`/v1/agents/${b.agent}`),
		own(`/v1/agents/${SHARED_SLUG}`),
		own(`/v1/agents/${a.agent}`),
	],
	"PUT /v1/agents/:id": (a, b) => [
		refused(`/v1/agents/${b.agent}`, { json: { graph: toKnowledgeGraph("guest", a.knowledgeBase) } }),
		invalid(`/v1/agents/${a.agent}`, { json: { graph: toKnowledgeGraph("guest", b.knowledgeBase) } }),
	],
	"DELETE /v1/agents/:id": (_, b) => [refused(`/v1/agents/${b.agent}`)],
	"GET /v1/agents/:id/versions": (a, b) => [
		refused(`/v1/agents/${b.agent}/versions`),
		own(`/v1/agents/${a.agent}/versions`),
	],
	"GET /v1/agents/:id/versions/:id": (a, b) => [
		refused(`/v1/agents/${b.agent}/versions/1`),
		own(`/v1/agents/${SHARED_SLUG}/versions/1`),
		own(`/v1/agents/${a.agent}/versions/1`),
	],
	"POST /v1/agents/:id/versions/:id/restore": (_, b) => [
		refused(`/v1/agents/${b.agent}/versions/1/restore`, { json: {} }),
	],
	"POST /v1/agents/:id/run": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			refused(`/v1/agents/${b.agent}/run`, { token, json: input }),
			refused(`/v1/agents/${b.agent}/run`, { token, json: { ...input, stream: true } }),
			refused(`/v1/agents/${b.agent}/run`, { token, json: { ...input, background: true } }),
			...foreignPlaces(a, b).map((place) =>
				refused(`/v1/agents/${SHARED_SLUG}/run`, {
					token,
					...withThreadToken(b),
					json: { ...input, ...place },
				}),
			),
			own(`/v1/agents/${SHARED_SLUG}/run`, { token, json: input }),
		]),
	"POST /v1/agents/:id/ui": (a, b) => [
		...[a.token, a.clientKey].flatMap((token) => [
			refused(`/v1/agents/${b.agent}/ui`, { token, json: toChat(question) }),
			own(`/v1/agents/${SHARED_SLUG}/ui`, { token, json: toChat(question) }),
		]),
		...[b.run, b.keyRun].map((run_id) =>
			refused(`/v1/agents/${SHARED_SLUG}/ui`, { json: toChatDecision(run_id, b.approval) }),
		),
	],
	"POST /v1/agents/:id/ag-ui": (a, b) => [
		...[a.token, a.clientKey].flatMap((token) => [
			refused(`/v1/agents/${b.agent}/ag-ui`, { token, json: toAgUiRun(question) }),
			own(`/v1/agents/${SHARED_SLUG}/ag-ui`, { token, json: toAgUiRun(question) }),
		]),
		...[b.run, b.keyRun].map((run) =>
			refused(`/v1/agents/${SHARED_SLUG}/ag-ui`, {
				json: {
					...toAgUiRun(question),
					resume: [{ interruptId: `${run}.1.${b.approval}`, status: "cancelled" }],
				},
			}),
		),
	],
	"GET /v1/agents/:id/ui/:id/stream": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			refused(`/v1/agents/${b.agent}/ui/chat/stream`, { token }),
			own(`/v1/agents/${SHARED_SLUG}/ui/chat/stream`, { token }),
		]),

	"GET /v1/runs": (_, b) => [
		own("/v1/runs?limit=100"),
		own(`/v1/runs?agent_id=${b.agent}`),
		own("/v1/runs?status=completed"),
		...pagesAfter("/v1/runs", b.run, b.keyRun),
	],
	"GET /v1/runs/:id": (a, b) => reachRuns(a, b, ""),
	"GET /v1/runs/:id/events": (a, b) => [
		...reachRuns(a, b, "/events"),
		...reachRuns(a, b, "/events?after=0&wait_ms=10"),
		...reachRuns(a, b, "/events", { accept: "text/event-stream", "last-event-id": "1" }),
	],
	"POST /v1/runs/:id/cancel": (a, b) => reachRuns(a, b, "/cancel"),
	"POST /v1/runs/:id/approvals/:id": (a, b) =>
		reachRuns(a, b, `/approvals/${b.approval}`).map(({ path, request, answer }) => ({
			path,
			request: { ...request, json: { decision: "approve" } },
			answer,
		})),

	"POST /v1/runs/:id/shares": (_, b) => [
		refused(`/v1/runs/${b.run}/shares`, { json: { fields: ["output"] } }),
	],
	"GET /v1/shares": (_, b) => [
		own("/v1/shares"),
		own(`/v1/shares?run_id=${b.run}`),
		...pagesAfter("/v1/shares", b.share),
	],
	"DELETE /v1/shares/:id": (_, b) => [refused(`/v1/shares/${b.share}`)],
	// Whoever has the token of a link opens it: it is another one here.
	"POST /v1/shared-runs": () => [refused("/v1/shared-runs", { json: { token: `sh_${"A".repeat(43)}` } })],

	"POST /v1/threads": (a, b) => [
		refused("/v1/threads", { json: { agent_id: b.agent } }),
		own("/v1/threads", { json: {} }),
		own("/v1/threads", { token: a.clientKey, json: {} }),
	],
	"GET /v1/threads": (a, b) => [
		own("/v1/threads?limit=100"),
		own(`/v1/threads?query=${b.marker}`),
		own(`/v1/threads?owner=${b.credentials.client_id}`),
		refused("/v1/threads", { token: a.clientKey }),
		...pagesAfter("/v1/threads", b.thread, b.keyThread),
	],
	"GET /v1/threads/:id": (a, b) => reachThreads(a, b),
	"PATCH /v1/threads/:id": (a, b) => reachThreads(a, b, "", { title: "Mine" }),
	"DELETE /v1/threads/:id": (a, b) => reachThreads(a, b),
	"GET /v1/threads/:id/messages": (a, b) => [
		...reachThreads(a, b, "/messages"),
		...reachThreads(a, b, `/messages?branch=${b.message}`),
		refused(`/v1/threads/${a.thread}/messages?branch=${b.message}`),
	],
	"POST /v1/threads/:id/title": (a, b) => reachThreads(a, b, "/title", {}),
	"GET /v1/threads/:id/export": (a, b) => reachThreads(a, b, "/export"),
	...Object.fromEntries(
		["POST", "DELETE"].flatMap((method) => [
			[
				`${method} /v1/runs/:id/feedback`,
				(a: Tenant, b: Tenant) => reachRuns(a, b, "/feedback").map((attempt) => withRating(method, attempt)),
			],
			[
				`${method} /v1/answers/:id/feedback`,
				(a: Tenant, b: Tenant) => reachAnswers(a, b).map((attempt) => withRating(method, attempt)),
			],
		]),
	),
	"GET /v1/feedback": (_, b) => [
		own("/v1/feedback?limit=100"),
		own(`/v1/feedback?agent_id=${b.agent}`),
		...pagesAfter("/v1/feedback", b.feedback, "zzz"),
	],
	"GET /v1/feedback/export": (_, b) => [
		own("/v1/feedback/export"),
		own(`/v1/feedback/export?agent_id=${b.agent}`),
	],

	"POST /a2a/:id": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			refused(`/a2a/${b.agent}`, callA2a(token, "SendMessage", { message: a2aMessage(a) })),
			own(`/a2a/${SHARED_SLUG}`, callA2a(token, "SendMessage", { message: a2aMessage(a) })),
			// The protocol refuses with 200.
			own(
				`/a2a/${SHARED_SLUG}`,
				callA2a(token, "SendMessage", {
					message: {
						...a2aMessage(a),
						taskId: b.run,
						parts: [{ data: { approval_id: b.approval, decision: "approve" } }],
					},
				}),
			),
			...[b.run, b.keyRun, `${b.keyRun}.${b.keyRunToken}`].flatMap((id) =>
				["GetTask", "CancelTask", "SubscribeToTask"].map((method) =>
					own(`/a2a/${SHARED_SLUG}`, callA2a(token, method, { id })),
				),
			),
		]),
	"POST /a2a/:id/": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			refused(`/a2a/${b.agent}/`, callA2a(token, "SendMessage", { message: a2aMessage(a) })),
			own(`/a2a/${SHARED_SLUG}/`, callA2a(token, "SendMessage", { message: a2aMessage(a) })),
		]),
	"GET /a2a/:id/…": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			refused(`/a2a/${b.agent}/.well-known/agent-card.json`, { token }),
			refused(`/a2a/${b.agent}/tasks/${b.run}`, { token, headers: A2A }),
			own(`/a2a/${SHARED_SLUG}/.well-known/agent-card.json`, { token }),
			...(token === a.token ? [own(`/a2a/${SHARED_SLUG}/tasks`, { token, headers: A2A })] : []),
		]),
	"POST /a2a/:id/…": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			refused(`/a2a/${b.agent}/message:send`, { token, headers: A2A, json: { message: a2aMessage(a) } }),
			refused(`/a2a/${b.agent}/tasks/${b.run}:cancel`, { token, headers: A2A, json: {} }),
			own(`/a2a/${SHARED_SLUG}/message:send`, { token, headers: A2A, json: { message: a2aMessage(a) } }),
		]),
	"DELETE /a2a/:id/…": (a, b) =>
		[a.token, a.clientKey].map((token) =>
			refused(`/a2a/${b.agent}/tasks/${b.run}/pushNotificationConfigs/push`, { token, headers: A2A }),
		),

	"POST /mcp": (a, b) => [
		...[a.token, a.clientKey].flatMap((token) => [
			// The protocol refuses with 200.
			...searchesOf(a, b).flatMap((knowledge_base_ids) => [
				own("/mcp", callMcp(token, "search", { query: SHARED_WORD, knowledge_base_ids })),
				own("/mcp", callMcp(token, "ask", { question, knowledge_base_ids })),
			]),
			...[b.document, `${b.document}_1`, SHARED_SOURCE].map((id) =>
				own("/mcp", callMcp(token, "fetch", { id })),
			),
			own("/mcp", callMcp(token, "search", { query: SHARED_WORD })),
			own("/mcp", callMcp(token, "list_knowledge_bases", {})),
		]),
		...[a, b].map(({ knowledgeBase }) =>
			own("/mcp", callMcp(a.token, "list_documents", { knowledge_base_id: knowledgeBase })),
		),
	],
	// There is nothing to get and nothing to delete.
	"GET /mcp": () => [],
	"DELETE /mcp": () => [],
	"GET /.well-known/oauth-protected-resource": () => [own("/.well-known/oauth-protected-resource")],
	"GET /.well-known/oauth-protected-resource/mcp": () => [own("/.well-known/oauth-protected-resource/mcp")],
	"GET /.well-known/oauth-protected-resource/a2a/:id": () => [
		own("/.well-known/oauth-protected-resource/a2a/any"),
	],
	"GET /.well-known/oauth-authorization-server": () => [own("/.well-known/oauth-authorization-server")],

	"POST /v1/embeddings": (a) =>
		[a.token, a.clientKey].map((token) =>
			own("/v1/embeddings", { token, json: { model: "default", input: question } }),
		),
	"POST /retrieval": (a, b) =>
		[a.token, a.clientKey].flatMap((token) => [
			...[b.knowledgeBase, b.knowledgeBaseSlug].map((id) =>
				refused("/retrieval", { token, json: toRetrieval(id) }),
			),
			own("/retrieval", { token, json: toRetrieval(a.knowledgeBase) }),
		]),
	"GET /api/v1/knowledge/:id": (_, b) => reachMirrored(b, ""),
	"GET /api/v1/knowledge/:id/files": (_, b) => reachMirrored(b, "/files"),
	"POST /api/v1/knowledge/:id/sync/diff": (_, b) => reachMirrored(b, "/sync/diff", { manifest: [] }),
	"POST /api/v1/knowledge/:id/sync/cleanup": (a, b) => [
		...reachMirrored(b, "/sync/cleanup", { file_ids: [] }),
		own(`/api/v1/knowledge/${a.knowledgeBase}/sync/cleanup`, {
			json: { file_ids: [b.document, toFileId(b.source, SHARED_SOURCE)] },
		}),
	],
	"POST /api/v1/knowledge/:id/dirs/create": (_, b) => reachMirrored(b, "/dirs/create", { name: "docs" }),
	"POST /api/v1/knowledge/:id/file/add": (a, b) => [
		...reachMirrored(b, "/file/add", { file_id: b.document }),
		refused(`/api/v1/knowledge/${a.knowledgeBase}/file/add`, { json: { file_id: b.document } }),
	],
	"POST /api/v1/knowledge/:id/reset": (_, b) => reachMirrored(b, "/reset"),
	"POST /api/v1/files": (_, b) => [refused("/api/v1/files", toUpload(b.knowledgeBase))],
	"POST /api/v1/files/": (_, b) => [refused("/api/v1/files/", toUpload(b.knowledgeBase))],
	"GET /api/v1/files/:id/process/status": (_, b) => [
		refused(`/api/v1/files/${toFileId(b.source, SHARED_SOURCE)}/process/status`),
		refused(`/api/v1/files/${b.document}/process/status`),
	],

	"GET /v1/usage": () => [own("/v1/usage"), own("/v1/usage?payer=workspace&stage=answer")],
	"GET /v1/audit": (_, b) => [
		own("/v1/audit?limit=100"),
		own("/v1/audit?limit=100&action=llm_settings.set"),
		...pagesAfter("/v1/audit", b.audit, "zzz"),
	],

	"GET /v1/llm-providers": () => [own("/v1/llm-providers")],
	"GET /v1/workspace/secrets": (_, b) => [
		own("/v1/workspace/secrets"),
		...pagesAfter("/v1/workspace/secrets", b.secret, "0"),
	],
	"GET /v1/workspace/secrets/:id": (_, b) => [
		refused(`/v1/workspace/secrets/${b.secret}`),
		own(`/v1/workspace/secrets/${SHARED_SECRET}`),
	],
	"PUT /v1/workspace/secrets/:id": (a) => [
		own(`/v1/workspace/secrets/${SHARED_SECRET}`, { json: { server_url: a.server } }),
		own(`/v1/workspace/secrets/${SHARED_SECRET}`, { json: { server_url: a.server, value: "new" } }),
	],
	"DELETE /v1/workspace/secrets/:id": (_, b) => [
		refused(`/v1/workspace/secrets/${b.secret}`),
		own(`/v1/workspace/secrets/${SHARED_SECRET}`),
	],
	"GET /v1/workspace/llm-settings": () => [own("/v1/workspace/llm-settings")],
	"GET /v1/workspace/llm-settings/stages": () => [own("/v1/workspace/llm-settings/stages")],
	"POST /v1/workspace/llm-settings/test": () => [
		own("/v1/workspace/llm-settings/test", { json: {} }),
		own("/v1/workspace/llm-settings/test", { json: { model: "another" } }),
	],
	"PUT /v1/workspace/llm-settings": ({ vendor }) => [
		own("/v1/workspace/llm-settings", {
			json: { provider: "openai-compatible", base_url: vendor, model: "another" },
		}),
	],
	"DELETE /v1/workspace/llm-settings": () => [own("/v1/workspace/llm-settings")],
};

/** Places in their threads, and one of mine that names a message of theirs. */
const foreignPlaces = (a: Tenant, b: Tenant): readonly object[] => [
	{ thread_id: b.thread },
	{ thread_id: b.keyThread },
	{ thread_id: b.thread, parent_id: b.message },
	{ thread_id: a.thread, parent_id: b.message },
];

const withThreadToken = (b: Tenant): TestRequest => ({
	headers: { "stemma-thread-token": b.keyThreadToken },
});

/** Their threads with my credentials and their tokens, and mine with the tokens of others. */
function reachThreads(a: Tenant, b: Tenant, rest = "", json?: object): readonly Attempt[] {
	const reach = (thread: string, token: string, threadToken?: string): Attempt =>
		refused(`/v1/threads/${thread}${rest}`, {
			token,
			...(json !== undefined && { json }),
			...(threadToken !== undefined && { headers: { "stemma-thread-token": threadToken } }),
		});
	return [
		...[b.thread, b.keyThread].flatMap((thread) =>
			[a.token, a.clientKey].flatMap((token) => [
				reach(thread, token),
				reach(thread, token, b.keyThreadToken),
				reach(thread, token, a.keyThreadToken),
			]),
		),
		// Within a workspace: a client key reaches its own threads alone, and only with their tokens.
		reach(a.thread, a.clientKey, a.keyThreadToken),
		reach(a.keyThread, a.clientKey),
		reach(a.keyThread, a.clientKey, b.keyThreadToken),
	];
}
const VISITED = { "stemma-visitor": VISITOR };

/** One visitor: with a client key, a message that is sent again needs one. */
const A2A = { "a2a-version": "1.0", ...VISITED };

/** The first item of the output of a response. */
const toItemId = (responseId: string): string => responseId.replace("resp_", "msg_").concat("_0");

const toMessage = (model: string) => ({
	model,
	max_tokens: 1000,
	messages: [{ role: "user", content: question }],
});

/** All ways to name a response of others; of one's own key, that of another visitor is none of the client's. */
const responsesOf = (a: Tenant, b: Tenant, path = ""): readonly Attempt[] => [
	...[b.response, b.keyResponse].flatMap((id) =>
		[a.token, a.clientKey].map((token) => refused(`/v1/responses/${id}${path}`, { token, headers: VISITED })),
	),
	refused(`/v1/responses/${a.keyResponse}${path}`),
	refused(`/v1/responses/${a.keyResponse}${path}`, { token: a.clientKey }),
	refused(`/v1/responses/${a.response}${path}`, { token: a.clientKey, headers: VISITED }),
];

const a2aMessage = ({ marker }: Tenant) => ({
	messageId: `message of ${marker}`,
	role: "ROLE_USER",
	parts: [{ text: question }],
});

const callA2a = (token: string, method: string, params: object): TestRequest => ({
	token,
	headers: A2A,
	json: { jsonrpc: "2.0", id: 1, method, params },
});

const toRetrieval = (knowledge_id: string) => ({
	...{ knowledge_id, query: SHARED_WORD },
	retrieval_setting: { top_k: 10, score_threshold: 0 },
});

/** The knowledge base of another tenant, as programs name it that mirror files into one. */
const reachMirrored = ({ knowledgeBase, knowledgeBaseSlug }: Tenant, rest: string, json?: object) =>
	[knowledgeBase, knowledgeBaseSlug].map((id) =>
		refused(`/api/v1/knowledge/${id}${rest}`, json === undefined ? {} : { json }),
	);

function toUpload(knowledgeBase: string): TestRequest {
	const metadata = JSON.stringify({ knowledge_id: knowledgeBase, file_hash: "1" });
	const parts = [
		`Content-Disposition: form-data; name="metadata"\r\n\r\n${metadata}`,
		'Content-Disposition: form-data; name="file"; filename="mine.md"\r\n\r\nMine.',
	];
	const body = `${parts.map((part) => `--boundary\r\n${part}\r\n`).join("")}--boundary--\r\n`;
	return { body, headers: { "content-type": "multipart/form-data; boundary=boundary" } };
}

const callMcp = (token: string, name: string, args: object): TestRequest => ({
	token,
	headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
	json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
});

function refusedToken(client_id: string, client_secret: string): Attempt {
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	return refused("/oauth/token", { form, token: null });
}

const pagesAfter = (path: string, ...cursors: readonly string[]): readonly Attempt[] =>
	cursors.map((cursor) => own(`${path}?limit=100&after=${cursor}`));

const refusedAddresses = (a: Tenant, b: Tenant, kind: string): readonly Attempt[] =>
	["", `?token=${a.documentToken}`, `?token=${a.clientKey}`].map((query) =>
		refused(`/v1/documents/${b.document}/${kind}${query}`),
	);

function refusedDocuments(a: Tenant, b: Tenant, rest = ""): readonly Attempt[] {
	const pairs = [
		[b.knowledgeBase, b.document],
		[a.knowledgeBase, b.document],
		[b.knowledgeBase, a.document],
	];
	return pairs.map(([base, document]) => refused(`/v1/knowledge-bases/${base}/documents/${document}${rest}`));
}

const PAGE = { kind: "url", url: "http://127.0.0.1:9/page" };

const refusedSources = (a: Tenant, b: Tenant, rest = "", request: TestRequest = {}): readonly Attempt[] =>
	[
		[b.knowledgeBase, b.source],
		[a.knowledgeBase, b.source],
		[b.knowledgeBase, a.source],
	].map(([base, source]) => refused(`/v1/knowledge-bases/${base}/sources/${source}${rest}`, request));

const searchesOf = (a: Tenant, b: Tenant): readonly (readonly string[])[] => [
	[b.knowledgeBase],
	[b.knowledgeBaseSlug],
	[a.knowledgeBase, b.knowledgeBase],
	[b.knowledgeBase, a.knowledgeBase],
];

/** A request that rates, or takes a rating back. */
const withRating = (method: string, { request, ...attempt }: Attempt): Attempt => ({
	...attempt,
	request: method === "POST" ? { ...request, json: { rating: "up" } } : request,
});

/** All ways to rate an answer of another tenant, and one of the same that another credential asked for. */
function reachAnswers(a: Tenant, b: Tenant): readonly Attempt[] {
	const reach = (answer: string, token: string, answerToken?: string): Attempt =>
		refused(`/v1/answers/${answer}/feedback`, {
			token,
			headers: answerToken === undefined ? {} : { "stemma-answer-token": answerToken },
		});
	return [
		...[b.answer, b.keyAnswer].flatMap((answer) =>
			[a.token, a.clientKey].map((token) => reach(answer, token)),
		),
		reach(b.answer, a.clientKey, b.answerToken),
		reach(b.keyAnswer, a.clientKey, b.keyAnswerToken),
		reach(b.keyAnswer, a.token, b.keyAnswerToken),
		// Within a workspace: a client key reaches its own answers alone, and only with their tokens.
		reach(a.answer, a.clientKey, a.answerToken),
		reach(a.keyAnswer, a.clientKey),
		reach(a.keyAnswer, a.clientKey, b.keyAnswerToken),
	];
}

/** Their runs with my credentials and their tokens, and my runs with their credentials and my tokens. */
function reachRuns(
	a: Tenant,
	b: Tenant,
	rest: string,
	headers: Record<string, string> = {},
): readonly Attempt[] {
	const reach = (run: string, token: string, runToken?: string): Attempt =>
		refused(`/v1/runs/${run}${rest}`, {
			token,
			headers: { ...headers, ...(runToken !== undefined && { "stemma-run-token": runToken }) },
		});
	return [
		...[b.run, b.keyRun].flatMap((run) => [a.token, a.clientKey].map((token) => reach(run, token))),
		reach(b.run, a.clientKey, b.runToken),
		reach(b.keyRun, a.clientKey, b.keyRunToken),
		reach(b.keyRun, a.clientKey, a.keyRunToken),
		reach(b.keyRun, a.token, b.keyRunToken),
		// Within a workspace: a client key reaches its own runs alone, and only with their tokens.
		reach(a.run, a.clientKey, a.runToken),
		reach(a.keyRun, a.clientKey),
		reach(a.keyRun, a.clientKey, b.keyRunToken),
		reach(a.keyRun, a.clientKey, a.runToken),
	];
}

it("there is a case for each route of the service, and each is documented", () => {
	expect(Object.keys(ATTEMPTS).sort()).toEqual(routes);
	expect(readDocumentedRoutes()).toEqual(routes);
});

describe.each(Object.keys(ATTEMPTS))("%s", (route) => {
	it("gives nothing of another workspace, and takes nothing from it", async () => {
		const before = await readEverything(theirs);
		const attempts = ATTEMPTS[route]?.(mine, theirs) ?? [];
		const [method = ""] = route.split(" ");
		for (const attempt of attempts) await expectNothing(method, attempt);
		expect(await readEverything(theirs)).toEqual(before);
	});
});

async function expectNothing(method: string, { path, request, answer }: Attempt): Promise<void> {
	const given = await mine.send(method, path, request);
	const asked = `${path} ${JSON.stringify(request)}`;
	if (answer === "refusal") expectRefusal(given, asked);
	else if (answer === "invalid") expectApiError(given, 422, "agent_invalid");
	else expect(given.status, `${asked}: ${given.text}`).toBeLessThan(300);
	const leaked = listPrivateValues(theirs).filter(
		(name) => given.text.includes(name) && !asked.includes(name),
	);
	expect(leaked, `${asked}: ${given.text}`).toEqual([]);
}

function expectRefusal(given: TestResponse, asked: string): void {
	expect([401, 403, 404], `${asked}: ${given.status} ${given.text}`).toContain(given.status);
	// Their errors have another form.
	if (/^\/(retrieval|api\/v1\/)/.test(asked)) return;
	if (given.status !== 401)
		expect(readApiError(given).code).toMatch(
			/_not_found$|not_allowed|missing_scope|^(https|session)_required$/,
		);
}

const toAgUiRun = (content: string): object => ({
	threadId: "thread",
	runId: "run",
	messages: [{ id: "m", role: "user", content }],
});

const toChat = (text: string): object => ({
	id: "chat",
	messages: [{ role: "user", parts: [{ type: "text", text }] }],
});

const toChatDecision = (run_id: string, id: string): object => ({
	id: "chat",
	messages: [
		{
			role: "assistant",
			metadata: { run_id, seq: 1 },
			parts: [{ type: "dynamic-tool", state: "approval-responded", approval: { id, approved: true } }],
		},
	],
});

describe("a stored key", () => {
	it("is sent for its own workspace alone, and never with another's words", () => {
		const sent = vendor.requests.map(({ headers, body }) => ({
			key: String(headers.authorization),
			text: JSON.stringify(body),
		}));
		const [deployments, ours] = [sent.filter(isOf("deployment")), sent.filter(isOf(mine.marker))];
		expect(ours.length).toBeGreaterThan(10);
		expect(ours.filter(({ text }) => text.includes(theirs.marker))).toEqual([]);
		expect(sent.filter(isOf(theirs.marker)).filter(({ text }) => text.includes(mine.marker))).toEqual([]);
		// All that the deployment pays for here.
		expect(deployments.filter(({ text }) => !text.includes('"model":"vectors"'))).toEqual([]);
	});

	it("stays with its own workspace where another names the same secret, or sets the same endpoint", async () => {
		const { server } = theirs;
		const json = { server_url: mine.server, value: "of mine" };
		await getBody(mine.send("PUT", `/v1/workspace/secrets/${SHARED_SECRET}`, { json }));
		for (const name of [theirs.secret, SHARED_SECRET]) {
			const path = `/v1/workspace/secrets/${name}`;
			expectApiError(await mine.send("PUT", path, { json: { server_url: server } }), 422, "value_required");
		}
		const settings = { provider: "openai-compatible", base_url: vendor.baseUrl, model: "zebrafish-model" };
		await getBody(mine.send("DELETE", "/v1/workspace/llm-settings"));
		const saved = await getBody(mine.send("PUT", "/v1/workspace/llm-settings", { json: settings }));
		expect(saved).toMatchObject({ has_api_key: false });
	});
});

const isOf =
	(marker: string) =>
	({ key }: { readonly key: string }): boolean =>
		key === `Bearer sk-${marker}`;

describe("a client key", () => {
	it("reaches nothing of another workspace that it was made for", async () => {
		const { client_key: token } = await getBody<{ client_key: string }>(
			mine.send("POST", "/v1/client-keys", {
				json: {
					name: "app",
					native: true,
					agents: [theirs.agent],
					knowledge_base_ids: [theirs.knowledgeBase],
				},
			}),
		);
		const knowledge_base_ids = [theirs.knowledgeBase];
		await expectNothing(
			"POST",
			refused("/v1/search", { token, json: { query: SHARED_WORD, knowledge_base_ids } }),
		);
		await expectNothing("POST", refused("/v1/ask", { token, json: { question, knowledge_base_ids } }));
		await expectNothing("POST", refused(`/v1/agents/${theirs.agent}/run`, { token, json: input }));
		await expectNothing("POST", refused(`/v1/agents/${SHARED_SLUG}/run`, { token, json: input }));
	});
});

describe("the same Idempotency-Key", () => {
	const bodies: Readonly<Record<string, (tenant: Tenant) => unknown>> = {
		"/v1/knowledge-bases": () => ({ name: "same" }),
		"/v1/agents": (tenant) => ({ graph: toKnowledgeGraph("same", tenant.knowledgeBase), slug: "same" }),
		"/v1/clients": () => ({ name: "same" }),
		"/v1/client-keys": () => ({ name: "same", native: true }),
		[`/v1/agents/${SHARED_SLUG}/run`]: () => input,
	};
	const headers = { "idempotency-key": "the-same" };

	it.each(Object.keys(bodies))("means two requests in two workspaces: %s", async (path) => {
		const answers = await Promise.all(
			[theirs, mine].map((tenant) => tenant.send("POST", path, { json: bodies[path]?.(tenant), headers })),
		);
		const ids = answers.map(({ status, text, body }) => {
			expect(status, text).toBeLessThan(300);
			const { id, run_id } = body as { readonly id?: string; readonly run_id?: string };
			return id ?? run_id;
		});
		expect(new Set(ids).size).toBe(2);
	});

	it("of another workspace is no conflict", async () => {
		await getBody(
			theirs.send("POST", "/v1/knowledge-bases", {
				json: { name: "one" },
				headers: { "idempotency-key": "k" },
			}),
		);
		await getBody(
			mine.send("POST", "/v1/knowledge-bases", {
				json: { name: "two" },
				headers: { "idempotency-key": "k" },
			}),
		);
	});
});

describe("scores", () => {
	it("are the same, bit for bit, whatever another workspace has", async () => {
		const words = [
			"harbour",
			"ferry",
			"ticket",
			"harbour ferry ticket",
			"when does the ferry leave the harbour",
		];
		const documents = Array.from({ length: 12 }, (_, index) => ({
			text: `# Page ${index}\n\n${"The ferry leaves the harbour. ".repeat(index + 1)} A ticket costs ${index} euros.`,
		}));
		await addDocuments(mine, documents);
		const search = () =>
			Promise.all(
				words.map(async (query) => {
					const json = { query, knowledge_base_ids: [mine.knowledgeBase], top_k: 20 };
					const { body } = await mine.send("POST", "/v1/search", { json });
					return (body as { readonly passages: readonly object[] }).passages;
				}),
			);
		const before = await search();
		expect(before[0]?.length).toBeGreaterThan(5);
		const flood = Array.from({ length: 150 }, (_, index) => ({
			text: `# Harbour ${index}\n\n${"ferry harbour ticket ".repeat((index % 9) + 1)} number ${index}.`,
		}));
		await addDocuments(theirs, flood);
		expect(await search()).toEqual(before);
	});
});

async function addDocuments({ send, knowledgeBase }: Tenant, documents: readonly object[]): Promise<void> {
	const path = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	await Promise.all(documents.map((json) => getBody(send("POST", path, { json }))));
	await waitUntilIndexed(send, knowledgeBase);
}
