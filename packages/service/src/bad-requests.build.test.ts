import { readFile } from "node:fs/promises";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError, readApiError } from "./test-support/expect-error";
import { sendTo } from "./test-support/send-request";
import { recordRoutes } from "./test-support/service-routes";
import { addTenant, getBody, type Tenant } from "./test-support/tenant";
import { fetchToken, openTestDeployment, type TestDeployment } from "./test-support/test-deployment";

let deployment: TestDeployment;
let routes: readonly string[];
let tenant: Tenant;

beforeAll(async () => {
	const all = await recordRoutes(async () => {
		deployment = await openTestDeployment(built);
	});
	routes = all.filter((route) => !hasOwnErrors(route));
	// Nothing answers there, and nobody asks.
	tenant = withManagerToken(await addTenant(deployment, "aardvark"), await fetchManagerToken());
	const json = { provider: "openai-compatible", base_url: "http://127.0.0.1:9/v1", model: "none" };
	await getBody(tenant.send("PUT", "/v1/workspace/llm-settings", { json }));
});
afterAll(() => deployment?.close());

/** Checks for the route of a protocol whose errors have another form: they are looked at beside those routes. */
const hasOwnErrors = (route: string): boolean => /^\w+ \/(retrieval$|api\/v1\/)/.test(route);

/** Of the first client of the deployment, which alone may manage workspaces. */
async function fetchManagerToken(): Promise<string> {
	const { service } = deployment;
	const credentials = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	return fetchToken(sendTo(service.fetch), credentials);
}

/** Another token for the routes that its own may not use. */
const withManagerToken = (own: Tenant, token: string): Tenant => ({
	...own,
	send: (method, path, request = {}) =>
		own.send(method, path, path.startsWith("/v1/workspaces") ? { token, ...request } : request),
});

const pathsOf = (): readonly string[] => [...new Set(routes.map((route) => route.split(" ")[1] ?? ""))];

/** A path with ids that exist. */
function fill(path: string): string {
	const { knowledgeBase, document, source, agent, run, answer, response, thread } = tenant;
	const { approval, client, keyId, secret, user, invitation } = tenant;
	const ids: Readonly<Record<string, string>> = {
		"knowledge-bases": knowledgeBase,
		documents: document,
		sources: source,
		agents: agent,
		runs: run,
		answers: answer,
		responses: response,
		threads: thread,
		approvals: approval,
		clients: client,
		"client-keys": keyId,
		members: user,
		invitations: invitation,
		secrets: secret,
		workspaces: tenant.credentials.workspace_id,
		models: "default",
		versions: "1",
	};
	return path.replace(/([a-z-]+)\/:id/g, (_, kind: string) => `${kind}/${ids[kind]}`);
}

/** Checks for a route whose credential is a token for the very id in its path: that is looked at first. */
const hasDocumentToken = (route: string): boolean => route.startsWith("GET /v1/documents/:id/");

/** Checks for the stream of a chat: pages choose the ids of chats, and one that has no run yet has no stream. */
const isChatStream = (route: string): boolean => route.endsWith("/ui/:id/stream");

/** Checks for the metadata of an agent as a resource: they are the same for any id, and tell nobody which agents there are. */
const isMetadata = (route: string): boolean => route.includes("/.well-known/");

/** Checks for a route of a person's sessions, passkeys or apps, which clients have none of: the tests of people look at those. */
const isForPeople = (route: string): boolean =>
	/\/v1\/(sessions?|authorizations|passkeys|sign-in)\b/.test(route);

/** Checks for a route with which people sign in or open a link to a run, which needs no credential. */
const isSignIn = (route: string): boolean =>
	/\/v1\/sign-in\b|^POST \/v1\/(session($|\/passkey)|shared-runs$)/.test(route);

/** All bad ids in place of each id of a path, one at a time. */
const withBadIds = (path: string): readonly string[] =>
	[...path.matchAll(/:id/g)].flatMap(({ index }) =>
		BAD_IDS.map((id) => fill(`${path.slice(0, index)}${id}${path.slice(index + 3)}`)),
	);

const BAD_IDS = [
	"nothing",
	"ag_",
	"kb_00000000000000000000000000",
	"run_zzzzzzzzzzzzzzzzzzzzzzzzzz",
	"%00",
	"a%00b",
	"..%2f..%2fetc%2fpasswd",
	"%252e%252e",
	"%ff",
	"%ED%A0%80",
	"%",
	"💥",
	"%F0%9F%92%A5",
	"'%20OR%201=1%20--",
	"*",
	"__proto__",
	"constructor",
	"undefined",
	"null",
	"0",
	"%0d%0ax-injected:%201",
	"x".repeat(8000),
];

describe("an id that is unknown or none at all", () => {
	it("is not found, whatever the route", async () => {
		// Whoever sets a secret gives it its name.
		const withIds = routes.filter(
			(route) =>
				route.includes(":id") &&
				!/^PUT .*secrets/.test(route) &&
				!hasDocumentToken(route) &&
				!isForPeople(route) &&
				!isMetadata(route) &&
				!isChatStream(route),
		);
		expect(withIds.length).toBeGreaterThan(15);
		for (const route of withIds)
			for (const path of withBadIds(route.split(" ")[1] ?? "")) {
				const [method = ""] = route.split(" ");
				const answer = await tenant.send(method, path, { ...bodyFor(route) });
				const label = `${method} ${path.slice(0, 100)} → ${answer.status} ${answer.text.slice(0, 300)}`;
				expect(answer.status, label).toBe(404);
				expect(readApiError(answer).code, label).toMatch(/_not_found$/);
				expect(answer.headers.has("x-injected")).toBe(false);
			}
	});

	it("is that of a document under another knowledge base", async () => {
		const { body } = await tenant.send("POST", "/v1/knowledge-bases", { json: { name: "other" } });
		const path = `/v1/knowledge-bases/${(body as { id: string }).id}/documents/${tenant.document}`;
		for (const method of ["GET", "DELETE"])
			expectApiError(await tenant.send(method, path), 404, "document_not_found");
	});
});

/** A source whose address answers nothing. */
const SOURCE = { settings: { kind: "url", url: "http://127.0.0.1:9/page" } };

/** What the route needs so that the id is all that is wrong. */
function bodyFor(route: string): { readonly json?: unknown } {
	if (route === "POST /v1/agents/:id/run") return { json: { input: "x" } };
	if (route === "POST /v1/agents/:id/ui")
		return { json: { id: "c", messages: [{ role: "user", parts: [{ type: "text", text: "x" }] }] } };
	if (route === "POST /v1/agents/:id/ag-ui")
		return { json: { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "x" }] } };
	if (/^POST .*\/feedback$/.test(route)) return { json: { rating: "up" } };
	if (/^POST .*\/shares$/.test(route)) return { json: { fields: ["output"] } };
	if (route === "POST /v1/runs/:id/approvals/:id") return { json: { decision: "deny" } };
	if (route === "PUT /v1/agents/:id")
		return { json: { graph: { nodes: [{ id: "a", kind: "coordinator" }] } } };
	if (route === "PATCH /v1/members/:id") return { json: { role: "viewer" } };
	if (route === "PATCH /v1/threads/:id") return { json: {} };
	if (/^PATCH .*(knowledge-bases|workspaces)/.test(route)) return { json: { name: "x" } };
	if (route === "POST /v1/knowledge-bases/:id/documents") return { json: { text: "x" } };
	if (route === "POST /v1/knowledge-bases/:id/sources") return { json: SOURCE };
	if (/^POST .*\/(reindex|sync|restore)$/.test(route)) return { json: {} };
	return {};
}

describe("a method that a path does not have", () => {
	it("is answered with those that it has", async () => {
		// What else is at the address of one passkey is at that of its options, too.
		for (const path of pathsOf().filter((one) => one !== "/v1/passkeys/options")) {
			const methods = routes
				.filter((route) => route.split(" ")[1] === path)
				.map((route) => route.split(" ")[0] ?? "");
			const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
			for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "PURGE", "OPTIONS"]) {
				if (methods.includes(method)) continue;
				const answer = await tenant.send(method, fill(path), { token: null });
				expectApiError(answer, 405, "method_not_allowed");
				expect(answer.headers.get("allow")?.split(", ").sort(), `${method} ${path}`).toEqual(allowed.sort());
			}
		}
	});

	it("is answered to HEAD as to GET, without a body", async () => {
		const others = routes.filter((route) =>
			/^GET (?!\/(a2a|assets|docs\/assets|mcp|metrics|oauth)\b)/.test(route),
		);
		for (const route of others.filter((route) => !isChatStream(route) && !isForPeople(route))) {
			const query = hasDocumentToken(route) ? `?token=${tenant.documentToken}` : "";
			const path = fill(route.slice(4)) + query;
			const answer = await tenant.send("HEAD", path);
			expect({ path, status: answer.status, text: answer.text }).toEqual({ path, status: 200, text: "" });
		}
	});
});

describe("a path that nothing is at", () => {
	it.each([
		"/v1",
		"/v1/",
		"/v1/agents/",
		"/v2/agents",
		"/V1/agents",
		"//v1/agents",
		"/v1//agents",
		"/v1/agents/a/b",
		"/v1/agents%2fa",
		"/%00",
		"/.env",
		"/healthz/x",
		`/${"x".repeat(8000)}`,
	])("is not found: %.60s", async (path) => {
		for (const method of ["GET", "POST", "DELETE"])
			expectApiError(await tenant.send(method, path), 404, "route_not_found", "agent_not_found");
	});
});

describe("a credential that is none", () => {
	const bad = [
		"",
		"x",
		"Bearer",
		"Bearer ",
		"Basic abc",
		"bearer nothing",
		"Bearer a b",
		`Bearer ${"x".repeat(5000)}`,
		"Bearer ck_",
		"Bearer tok_'--",
	];

	it.each([undefined, ...bad])("is refused on every route: %.40s", async (authorization) => {
		for (const route of routes.filter((name) => name.includes("/v1/") && !isSignIn(name))) {
			const [method = "", path = ""] = route.split(" ");
			const headers = authorization === undefined ? {} : { authorization };
			const answer = await tenant.send(method, fill(path), { ...bodyFor(route), token: null, headers });
			expectApiError(
				answer,
				401,
				authorization === undefined ? "missing_credentials" : "invalid_credentials",
				"missing_credentials",
			);
			expect(answer.headers.get("www-authenticate")).toBe("Bearer");
		}
	});
});

describe("a query that is wrong", () => {
	const lists = [
		"/v1/clients",
		"/v1/client-keys",
		"/v1/members",
		"/v1/invitations",
		"/v1/knowledge-bases",
		"/v1/knowledge-bases/:id/documents",
		"/v1/knowledge-bases/:id/sources",
		"/v1/knowledge-bases/:id/sources/:id/syncs",
		"/v1/agents",
		"/v1/agents/:id/versions",
		"/v1/runs",
		"/v1/threads",
		"/v1/feedback",
		"/v1/shares",
		"/v1/workspace/secrets",
		"/v1/audit",
		"/v1/workspaces",
	];

	it("all lists are looked at", () => {
		const singular =
			/:id$|\/(events|export|file|input_items|messages|reindex|stream|text)$|^\/(docs|healthz|metrics|openapi\.json|readyz)$|^\/v1\/(models|usage|llm-providers)$|\/llm-settings(\/stages)?$|^\/(a2a|mcp|oauth|\.well-known)\b|^\/$/;
		const paths = routes.filter((route) => route.startsWith("GET ")).map((route) => route.slice(4));
		expect(paths.filter((path) => !singular.test(path) && !isForPeople(path)).sort()).toEqual(
			[...lists].sort(),
		);
	});

	describe.each(lists)("%s", (path) => {
		it.each([
			"limit=",
			"limit=0",
			"limit=101",
			"limit=-1",
			"limit=1.5",
			"limit=x",
			"limit=1e1",
			"limit=99999999999",
			"limit=%00",
			"after=",
			"after=%00",
			"after=a%20b",
			`after=${"x".repeat(101)}`,
			"after='--",
		])("refuses %.40s", async (query) => {
			const answer = await tenant.send("GET", `${fill(path)}?${query}`);
			expectApiError(answer, 400, "invalid_request");
			expect(readApiError(answer).param).toBe(query.split("=")[0]);
		});

		it("refuses a parameter that it does not know", async () => {
			expectApiError(await tenant.send("GET", `${fill(path)}?limt=5`), 400, "unknown_field");
		});

		it("refuses a parameter that is there twice", async () => {
			expectApiError(await tenant.send("GET", `${fill(path)}?limit=1&limit=2`), 400, "invalid_request");
		});
	});

	it.each([
		["/v1/runs?status=done", "status"],
		["/v1/knowledge-bases/:id/documents?status=running", "status"],
		["/v1/runs/:id/events?after=x", "after"],
		["/v1/runs/:id/events?after=-1", "after"],
		["/v1/runs/:id/events?after=99999999999999999999", "after"],
		["/v1/runs/:id/events?wait_ms=x", "wait_ms"],
		["/v1/runs/:id/events?wait_ms=25001", "wait_ms"],
		["/v1/runs/:id/events?wait_ms=-1", "wait_ms"],
		["/v1/feedback?rating=meh", "rating"],
		["/v1/feedback/export?since=yesterday", "since"],
		["/v1/audit?action=", "action"],
		["/v1/audit?action=llm_settings", "action"],
		["/v1/usage?from=2026-02-30", "from"],
		["/v1/usage?from=2026-01-31T00:00:00Z", "from"],
		["/v1/usage?to=", "to"],
		["/v1/usage?to=%00", "to"],
		["/v1/usage?to=٢٠٢٦-01-01", "to"],
		["/v1/usage?payer=me", "payer"],
		["/v1/usage?stage=all", "stage"],
		["/v1/usage?from=2026-01-01&from=2026-01-02", "from"],
	])("is refused: %s", async (path, param) => {
		const answer = await tenant.send("GET", fill(path));
		expectApiError(answer, 400, "invalid_request");
		expect(readApiError(answer).param).toBe(param);
	});

	it("finds nothing where it names nothing", async () => {
		const paths = [
			"/v1/runs?agent_id=nothing",
			"/v1/feedback?agent_id=nothing&tag=nothing",
			"/v1/knowledge-bases/:id/documents?source=%00",
			"/v1/knowledge-bases/:id/documents?source=",
			"/v1/knowledge-bases/:id/documents?parent_id=nothing",
		];
		for (const path of paths) {
			const { status, body } = await tenant.send("GET", fill(path));
			expect({ path, status, body }).toMatchObject({ status: 200, body: { data: [], has_more: false } });
		}
	});
});

describe("a header that is wrong", () => {
	it.each([
		["", "invalid_request"],
		["x".repeat(201), "invalid_request"],
		["é", "invalid_request"],
		["a\tb", "invalid_request"],
	])("Idempotency-Key %.20j", async (key, code) => {
		const paths = routes.filter((route) => IDEMPOTENT.test(route)).map((route) => route.slice(5));
		expect(paths).toHaveLength(11);
		for (const path of paths) {
			const answer = await tenant.send("POST", fill(path), {
				json: IDEMPOTENT_BODY(path),
				headers: { "idempotency-key": key },
			});
			expectApiError(answer, 400, code);
			expect(readApiError(answer).param).toBe("idempotency-key");
		}
	});

	it.each(["x", "-1", "1.5", "", "1e1", "9999999999", "0x1"])("stemma-depth %j", async (depth) => {
		expectApiError(
			await tenant.send("GET", "/v1/agents", { headers: { "stemma-depth": depth } }),
			400,
			"invalid_request",
		);
	});

	it("stemma-depth that tells of a loop", async () => {
		expectApiError(
			await tenant.send("GET", "/v1/agents", { headers: { "stemma-depth": "9" } }),
			400,
			"agent_loop",
		);
		expect((await tenant.send("GET", "/v1/agents", { headers: { "stemma-depth": "8" } })).status).toBe(200);
	});

	it.each(["x", "-1", "1.5", "1e3", "9".repeat(20)])("Last-Event-ID %j", async (id) => {
		const headers = { "last-event-id": id, accept: "text/event-stream" };
		expectApiError(
			await tenant.send("GET", `/v1/runs/${tenant.run}/events`, { headers }),
			400,
			"invalid_request",
		);
	});

	it.each(["a b", "<script>", "x".repeat(101), "é", "a/b", ""])(
		"x-request-id %.20j is replaced",
		async (id) => {
			const answer = await tenant.send("GET", "/v1/agents/nothing", { headers: { "x-request-id": id } });
			expect(readApiError(answer).request_id).toMatch(/^req_/);
		},
	);
});

const IDEMPOTENT =
	/^POST .*(\/run|\/documents|\/sources|\/sync|\/v1\/(knowledge-bases|agents|ask|threads|clients|client-keys|invitations))$/;

/** A good body for each route that takes an Idempotency-Key. */
function IDEMPOTENT_BODY(path: string): unknown {
	if (path === "/v1/ask") return { question: "When?", knowledge_base_ids: [tenant.knowledgeBase] };
	if (path === "/v1/agents") return { graph: { nodes: [{ id: "a", kind: "coordinator" }] } };
	if (path === "/v1/threads") return {};
	if (path.endsWith("/run")) return { input: "x" };
	if (path.endsWith("/documents")) return { text: "x" };
	if (path.endsWith("/sources")) return SOURCE;
	if (path.endsWith("/sync")) return {};
	if (path.endsWith("invitations")) return { email: "x@example.com", role: "viewer" };
	return path.endsWith("client-keys") ? { name: "x", native: true } : { name: "x" };
}

describe("a token request that is wrong", () => {
	const FORM = "application/x-www-form-urlencoded";
	const send = (body: string, headers: Record<string, string> = {}) =>
		tenant.send("POST", "/oauth/token", { body, token: null, headers: { "content-type": FORM, ...headers } });

	it.each([
		["", 400, "invalid_request"],
		["grant_type=password", 400, "unsupported_grant_type"],
		["grant_type=client_credentials", 401, "invalid_client"],
		["grant_type=client_credentials&client_id=%00&client_secret=%00", 401, "invalid_client"],
		["grant_type=client_credentials&client_id=__proto__&client_secret=x", 401, "invalid_client"],
		["grant_type=client_credentials&grant_type=client_credentials", 400, "invalid_request"],
		["grant_type=client_credentials&client_id=a&client_secret=b&client_id=c", 400, "invalid_request"],
		["%", 400, "invalid_request"],
		[`{"grant_type":"client_credentials"}`, 400, "invalid_request"],
	])("is answered as OAuth wants: %j", async (text, status, code) => {
		const answer = await send(text);
		expect(answer).toMatchObject({ status, body: { error: code, error_description: expect.any(String) } });
		expect(answer.headers.get("cache-control")).toBe("no-store");
	});

	it("is answered so for other content types, bad Basic headers and scopes", async () => {
		const grant = "grant_type=client_credentials";
		expect(await send(grant, { "content-type": "application/json" })).toMatchObject({ status: 400 });
		for (const authorization of ["Basic", "Basic %%%", "Basic YQ==", "Bearer x", `Basic ${btoa("a:%ff")}`])
			expect(await send(grant, { authorization })).toMatchObject({
				status: 401,
				body: { error: "invalid_client" },
			});
		const { client_id, client_secret } = tenant.credentials;
		const good = new URLSearchParams({
			grant_type: "client_credentials",
			client_id,
			client_secret,
			scope: "everything",
		});
		expect(await send(good.toString())).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
	});

	it("is refused where it is too large", async () => {
		expect((await send(`grant_type=${"x".repeat(20_000)}`)).status).toBe(413);
	});
});
