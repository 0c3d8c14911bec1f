import { readFileSync } from "node:fs";
import type { Role } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROLE_SCOPES, ROLES } from "../../people/roles";
import {
	createPeople,
	PAGE_HEADERS,
	type TestPeople,
	type TestUser,
} from "../../people/test-support/people-fixture";
import { listBodyRoutes, toBody } from "../../test-support/body-routes";
import { expectApiError, readApiError } from "../../test-support/expect-error";
import type { TestResponse } from "../../test-support/send-request";
import { recordRoutes } from "../../test-support/service-routes";
import { addTenant, type Tenant } from "../../test-support/tenant";
import { openTestDeployment, type TestDeployment } from "../../test-support/test-deployment";

/** Routes without people: open to all, or for other credentials. */
const OTHER_ROUTES = [
	"GET /",
	"GET /assets/:id",
	"GET /healthz",
	"GET /readyz",
	"GET /metrics",
	"GET /openapi.json",
	"GET /docs",
	"GET /docs/assets/:id",
	"POST /oauth/token",
	"POST /oauth/register",
	"POST /oauth/revoke",
	"GET /oauth/authorize",
	"GET /.well-known/oauth-authorization-server",
	"GET /.well-known/oauth-protected-resource",
	"GET /.well-known/oauth-protected-resource/mcp",
	"GET /.well-known/oauth-protected-resource/a2a/:id",
	"GET /v1/documents/:id/file",
	"GET /v1/documents/:id/text",
	"POST /v1/session",
	"POST /v1/session/passkey",
	"POST /v1/session/passkey/options",
	"GET /v1/sign-in",
	"GET /v1/sign-in/:id",
	"GET /v1/sign-in/:id/callback",
	"POST /v1/sign-in/:id/logout",
	"POST /v1/shared-runs",
];
/** Routes of protocols, which take no sessions. */
const WITHOUT_SESSIONS = [
	"POST /mcp",
	"GET /mcp",
	"DELETE /mcp",
	"POST /a2a/:id",
	"POST /a2a/:id/",
	"GET /a2a/:id/…",
	"POST /a2a/:id/…",
	"DELETE /a2a/:id/…",
	...["POST /retrieval", "POST /v1/messages", "POST /v1/messages/count_tokens", "POST /v1/responses"],
	...["GET /v1/responses/:id", "DELETE /v1/responses/:id", "POST /v1/responses/:id/cancel"],
	"GET /v1/responses/:id/input_items",
	...["POST /api/v1/files", "POST /api/v1/files/", "GET /api/v1/files/:id/process/status"],
	...["GET /api/v1/knowledge/:id", "GET /api/v1/knowledge/:id/files"],
	...["sync/diff", "sync/cleanup", "dirs/create", "file/add", "reset"].map(
		(rest) => `POST /api/v1/knowledge/:id/${rest}`,
	),
];

const text = readFileSync(new URL("../../../../../docs/people.md", import.meta.url), "utf8");

/** The table of docs/people.md: may each role use a route? */
const TABLE = new Map(
	[...text.matchAll(/^\| (`[A-Z]+ \/.*`) \| (yes|no) \| (yes|no) \| (yes|no) \|$/gm)].flatMap(
		([, routes = "", ...cells]) =>
			[...routes.matchAll(/`([^`]+)`/g)].map(([, route = ""]) => [route, cells] as const),
	),
);
const isAllowed = (route: string, role: Role): boolean => TABLE.get(route)?.[ROLES.indexOf(role)] === "yes";

let deployment: TestDeployment;
let routes: readonly string[];
let people: TestPeople;
let mine: Tenant;
/** Another workspace, whose ids the requests name. */
let theirs: Tenant;
let ids: Readonly<Record<string, string>>;
const users = new Map<Role, TestUser>();
beforeAll(async () => {
	routes = await recordRoutes(async () => {
		deployment = await openTestDeployment(built);
	});
	mine = await addTenant(deployment, "aardvark");
	theirs = await addTenant(deployment, "zebrafish");
	people = createPeople(deployment, mine);
	for (const role of ROLES) users.set(role, await people.addUser(`${role}@example.com`, role));
	ids = {
		...{ clients: theirs.client, "client-keys": theirs.keyId, workspaces: theirs.credentials.workspace_id },
		...{ "knowledge-bases": theirs.knowledgeBase, documents: theirs.document, sources: theirs.source },
		...{
			agents: theirs.agent,
			versions: "1",
			ui: "chat",
			runs: theirs.run,
			approvals: theirs.approval,
			models: "none",
		},
		...{ secrets: theirs.secret, threads: theirs.thread, answers: theirs.answer, sessions: theirs.session },
		shares: theirs.share,
		...{
			members: theirs.user,
			invitations: theirs.invitation,
			passkeys: "pk_unknown",
			authorizations: "aut_unknown",
		},
	};
});
afterAll(() => deployment?.close());

/** Path of a route with ids of the other workspace, each by the name before it. */
const toPath = (route: string): string =>
	route.replace(/([^/]+)\/:id/g, (_, name: string) => `${name}/${ids[name] ?? expect.unreachable(name)}`);

/** Request of an app that is not there. */
const APP_REQUEST = {
	...{ client_id: "app_unknown", redirect_uri: "https://app.example/", response_type: "code" },
	...{ code_challenge: "x", code_challenge_method: "S256" },
};

/** Requests that are not the fullest ones of the other list, or are not in it. */
const BODIES: Readonly<Record<string, object>> = {
	"POST /v1/passkeys": {
		response: {
			...{ id: "AAAA", rawId: "AAAA", type: "public-key" },
			response: { clientDataJSON: "AAAA", attestationObject: "AAAA" },
		},
	},
	"POST /v1/session/workspace": { workspace_id: "ws_unknown" },
	"PATCH /v1/passkeys/:id": { name: "Laptop" },
	"POST /v1/authorization-requests": APP_REQUEST,
	"POST /v1/authorizations": { ...APP_REQUEST, decision: "allow" },
	"POST /v1/workspaces": { name: "more" },
	"PATCH /v1/workspaces/:id": { name: "renamed" },
	// The choice of a model is one of settings.
	"POST /v1/knowledge-bases": { name: "more books" },
	"PATCH /v1/knowledge-bases/:id": { name: "more books" },
	"PUT /v1/agents/:id": { graph: { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] } },
	"PUT /v1/workspace/secrets/:id": { server_url: "https://tools.example", value: "a token" },
};

function toRequest(route: string, method: string, path: string) {
	if (method === "GET" || method === "DELETE") return {};
	const known = listBodyRoutes(theirs).find((one) => one.method === method && one.path === path);
	return { json: BODIES[route] ?? (known === undefined ? {} : toBody(known)) };
}

/** The person of a role. A request may end all sessions of one: of another person then. */
const toUser = async (role: Role, path: string): Promise<TestUser> => {
	const user = users.get(role);
	if (user !== undefined && !path.startsWith("/v1/session")) return user;
	return people.addUser(`another.${role}@example.com`, role);
};

it("has a row for each route, and says which scopes each role has", () => {
	expect([...TABLE.keys(), ...OTHER_ROUTES, ...WITHOUT_SESSIONS].sort()).toEqual(routes);
	for (const role of ROLES) {
		const [, cell = ""] = new RegExp(`^\\| \`${role}\` \\| (.*) \\|$`, "m").exec(text) ?? [];
		const before = ROLE_SCOPES[ROLES[ROLES.indexOf(role) - 1] ?? role];
		const added = role === "viewer" ? before : ROLE_SCOPES[role].filter((scope) => !before.includes(scope));
		expect([...cell.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope)).toEqual(added);
	}
});

describe.each([...TABLE.keys()])("%s", (route) => {
	it.each(ROLES)("as a %s", async (role) => {
		const [method = "", pattern = ""] = route.split(" ");
		// A name is anybody's: it makes a secret of one's own.
		const createsOwnSecret = route === "PUT /v1/workspace/secrets/:id";
		const path = createsOwnSecret ? pattern.replace(":id", "own") : toPath(pattern);
		const { send } = await toUser(role, path);
		const response = await send(method, path, toRequest(route, method, path));
		if (!isAllowed(route, role)) return expectApiError(response, 403, "missing_scope");
		if (path !== pattern && !createsOwnSecret) expectNotFound(response);
		else expectDone(response);
	});
});

/** Asserts that what belongs to another workspace is not found. */
function expectNotFound(response: TestResponse): void {
	expect(response, response.text).toMatchObject({ status: 404 });
	expect(readApiError(response).code).toMatch(/_not_found$/);
}

/** Allowed; what the body names of another workspace is not there, and there is no model for vectors. */
function expectDone(response: TestResponse): void {
	const isExpected =
		/_not_found|agent_invalid|embeddings_not_configured|passkey_not_created|invalid_authorization_request/.test(
			response.text,
		);
	if (response.status >= 300) expect(isExpected, `${response.status} ${response.text}`).toBe(true);
	expect([200, 201, 400, 404, 422]).toContain(response.status);
}

it.each(WITHOUT_SESSIONS)("%s takes no session", async (route) => {
	const [method = "", path = ""] = route.split(" ");
	const { cookie } = await toUser("admin", path);
	const target = path.replace(":id", mine.agent).replace("…", "tasks");
	const json = method === "POST" ? { json: {} } : {};
	const response = await people.send(method, target, { ...json, headers: { cookie, ...PAGE_HEADERS } });
	// Some protocols have no other status for a missing credential.
	expect([401, 403]).toContain(response.status);
});
