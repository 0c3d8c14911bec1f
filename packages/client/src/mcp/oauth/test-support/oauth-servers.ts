import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, onTestFinished, vi } from "vitest";
import { createMcpClient, type McpClient, type McpClientOptions } from "../../../mcp";
import {
	type McpAuthorization,
	type McpAuthorizationRequest,
	type McpOAuthOptions,
	type McpTokenStore,
	mcpOAuth,
} from "../../../mcp-oauth";

/** One HTTP request that came to either server. */
export interface ReceivedRequest {
	readonly to: "mcp" | "issuer";
	readonly method: string;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	readonly headers: IncomingHttpHeaders;
	/** JSON or a form. */
	readonly body: Readonly<Record<string, unknown>>;
}

export interface Reply {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** JSON, or text as it is. */
	readonly body?: object | string;
}

type Fields = Readonly<Record<string, unknown>>;

export interface OAuthScript {
	/** Of the issuer. Default: none. */
	readonly issuerPath?: string;
	/** Of the MCP server. Default `/mcp`. */
	readonly mcpPath?: string;
	/** Over the fields that the metadata have. */
	readonly issuerMetadata?: Fields;
	readonly resourceMetadata?: Fields;
	/** Of `www-authenticate`. Default true: the address of the metadata. */
	readonly namesMetadata?: boolean;
	/** Scope in the challenge of a 401. */
	readonly challengeScope?: string;
	/** What a token must have for a call. Default: nothing. */
	readonly callScope?: string;
	/** Of access tokens, in seconds. Default 3600. */
	readonly expiresIn?: number;
	/** Parameters of the redirect, over those that it has. `null` leaves one out. */
	readonly redirect?: Readonly<Record<string, string | null>>;
	/** Answers instead, by method and path with `mcp ` or `issuer ` before: `issuer POST /token`. */
	readonly replies?: Readonly<Record<string, (request: ReceivedRequest) => Reply | undefined>>;
	/** How clients must authenticate at the token endpoint. Default `none`. */
	readonly authMethod?: "none" | "client_secret_basic" | "client_secret_post";
}

export interface OAuthServers {
	/** Of the MCP server. */
	readonly url: string;
	readonly issuer: string;
	readonly received: readonly ReceivedRequest[];
	/** `issuer POST /token` */
	all(route: string): readonly ReceivedRequest[];
	last(route: string): ReceivedRequest;
	/** No access token is good any more; refresh tokens are. */
	revokeAccessTokens(): void;
	revokeRefreshTokens(): void;
	readonly script: { current: OAuthScript };
}

interface Grant {
	readonly clientId: string;
	readonly redirectUri: string;
	readonly challenge: string;
	readonly scope: string | undefined;
	readonly resource: string;
}

const servers = new Set<Server>();
afterEach(() => {
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
	servers.clear();
});

type Responder = (request: ReceivedRequest) => Reply;

async function listen(to: ReceivedRequest["to"], respond: Responder): Promise<string> {
	const server = createServer(async (request, response) => {
		const { status = 200, headers, body = {} } = respond(await read(to, request));
		const text = typeof body === "string" ? body : JSON.stringify(body);
		response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
	});
	servers.add(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function read(to: ReceivedRequest["to"], request: IncomingMessage): Promise<ReceivedRequest> {
	let text = "";
	for await (const chunk of request) text += chunk;
	const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
	const isForm = request.headers["content-type"]?.includes("urlencoded");
	const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || "{}");
	const { method = "", headers } = request;
	return { to, method, path: pathname, query: Object.fromEntries(searchParams), headers, body };
}

const errorReply = (error: string, error_description = "No."): Reply => ({
	status: 400,
	body: { error, error_description },
});

/** An MCP server and its authorization server, each on a port of its own, until the end of the test. */
export async function serveOAuth(script: OAuthScript = {}): Promise<OAuthServers> {
	const current = { current: script };
	const received: ReceivedRequest[] = [];
	const codes = new Map<string, Grant>();
	const accessTokens = new Map<string, string>();
	const refreshTokens = new Map<string, Grant>();
	const registered = new Map<string, Fields>();
	const path = (route: string): string => `${current.current.issuerPath ?? ""}${route}`;
	const mcpPath = script.mcpPath ?? "/mcp";

	const handle = (request: ReceivedRequest, respond: Responder): Reply => {
		received.push(request);
		const { to, method, path } = request;
		return current.current.replies?.[`${to} ${method} ${path}`]?.(request) ?? respond(request);
	};

	const mcpOrigin = await listen("mcp", (request) => handle(request, respondAsMcp));
	const issuerOrigin = await listen("issuer", (request) => handle(request, respondAsIssuer));
	const url = `${mcpOrigin}${mcpPath}`;
	const issuer = `${issuerOrigin}${script.issuerPath ?? ""}`;
	const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`;

	function respondAsMcp({ method, path, headers, body }: ReceivedRequest): Reply {
		const { namesMetadata = true, challengeScope, callScope, resourceMetadata } = current.current;
		if (method === "GET" && path === metadataPath)
			return { body: { resource: url, authorization_servers: [issuer], ...resourceMetadata } };
		if (method !== "POST" || path !== mcpPath) return { status: 404 };
		const metadataParam = namesMetadata ? `, resource_metadata="${mcpOrigin}${metadataPath}"` : "";
		const scopes = accessTokens.get(headers.authorization?.slice("Bearer ".length) ?? "");
		const scopeParam = challengeScope === undefined ? "" : `, scope="${challengeScope}"`;
		if (scopes === undefined)
			return {
				status: 401,
				headers: { "www-authenticate": `Bearer realm="test"${scopeParam}${metadataParam}` },
			};
		const isCall = body.method === "tools/call";
		if (isCall && callScope !== undefined && !scopes.split(" ").includes(callScope)) {
			const challenge = `Bearer error="insufficient_scope", scope="${callScope}"${metadataParam}`;
			return { status: 403, headers: { "www-authenticate": challenge } };
		}
		const result = isCall ? { content: [] } : { tools: [{ name: "add", inputSchema: {} }], ttlMs: 60_000 };
		return { body: { jsonrpc: "2.0", id: body.id, result: { resultType: "complete", ...result } } };
	}

	function respondAsIssuer(request: ReceivedRequest): Reply {
		const { method } = request;
		const route = `${method} ${request.path}`;
		if (route === `GET /.well-known/oauth-authorization-server${path("")}`) return { body: metadata() };
		if (route === `GET ${path("/authorize")}`) return authorize(request.query);
		if (route === `POST ${path("/register")}`) return register(request.body);
		if (route === `POST ${path("/token")}`) return issue(request);
		return { status: 404, body: "<html>Not found</html>" };
	}

	const metadata = (): Fields => ({
		issuer,
		authorization_endpoint: `${issuer}/authorize`,
		token_endpoint: `${issuer}/token`,
		registration_endpoint: `${issuer}/register`,
		code_challenge_methods_supported: ["S256"],
		token_endpoint_auth_methods_supported: [current.current.authMethod ?? "none"],
		...current.current.issuerMetadata,
	});

	function register(body: Fields): Reply {
		const { authMethod = "none" } = current.current;
		const client_id = `client-${registered.size + 1}`;
		const client = {
			...body,
			client_id,
			token_endpoint_auth_method: authMethod,
			...(authMethod !== "none" && { client_secret: `registered-secret-${randomUUID()}` }),
		};
		registered.set(client_id, client);
		return { status: 201, body: client };
	}

	function authorize(query: Readonly<Record<string, string>>): Reply {
		const {
			client_id = "",
			redirect_uri = "",
			code_challenge = "",
			scope,
			resource = "",
			state = "",
		} = query;
		if (query.response_type !== "code" || query.code_challenge_method !== "S256" || resource === "")
			return errorReply("invalid_request");
		const code = `code-${randomUUID()}`;
		codes.set(code, {
			clientId: client_id,
			redirectUri: redirect_uri,
			challenge: code_challenge,
			scope,
			resource,
		});
		const location = new URL(redirect_uri);
		const parameters = { code, state, iss: issuer, ...current.current.redirect };
		for (const [name, value] of Object.entries(parameters))
			if (value !== null) location.searchParams.set(name, value);
		return { status: 302, headers: { location: location.href } };
	}

	function issue(request: ReceivedRequest): Reply {
		const { body } = request;
		const clientId = authenticate(request);
		if (clientId === undefined) return { status: 401, body: { error: "invalid_client" } };
		if (body.grant_type === "client_credentials")
			return respondWithTokens({ clientId, scope: body.scope, resource: body.resource } as Grant);
		if (body.grant_type === "refresh_token") {
			const grant = refreshTokens.get(`${body.refresh_token}`);
			refreshTokens.delete(`${body.refresh_token}`);
			if (grant?.clientId !== clientId || grant.resource !== body.resource)
				return errorReply("invalid_grant");
			return respondWithTokens(grant, true);
		}
		const grant = codes.get(`${body.code}`);
		codes.delete(`${body.code}`);
		const challenge = createHash("sha256").update(`${body.code_verifier}`).digest("base64url");
		const isSame =
			grant?.clientId === clientId &&
			grant.redirectUri === body.redirect_uri &&
			grant.resource === body.resource &&
			grant.challenge === challenge;
		return isSame ? respondWithTokens(grant, true) : errorReply("invalid_grant");
	}

	/** The id of a client that proves to be it. */
	function authenticate({ headers, body }: ReceivedRequest): string | undefined {
		const { authMethod = "none" } = current.current;
		const [id = "", secret = ""] = Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64")
			.toString()
			.split(":")
			.map(decodeURIComponent);
		const given = headers.authorization
			? "client_secret_basic"
			: body.client_secret
				? "client_secret_post"
				: "none";
		if (given !== authMethod && body.client_assertion === undefined) return undefined;
		const clientId = id || `${body.client_id}`;
		const expected = registered.get(clientId)?.client_secret ?? "by-hand & secret";
		if (given !== "none" && (secret || body.client_secret) !== expected) return undefined;
		return clientId;
	}

	function respondWithTokens(grant: Grant, isRefreshable = false): Reply {
		const access_token = `access-${randomUUID()}`;
		const refresh_token = `refresh-${randomUUID()}`;
		accessTokens.set(access_token, grant.scope ?? "");
		if (isRefreshable) refreshTokens.set(refresh_token, grant);
		return {
			body: {
				access_token,
				token_type: "bearer",
				expires_in: current.current.expiresIn ?? 3600,
				...(isRefreshable && { refresh_token }),
				...(grant.scope && { scope: grant.scope }),
			},
		};
	}

	const all = (route: string): readonly ReceivedRequest[] =>
		received.filter(({ to, method, path }) => `${to} ${method} ${path}` === route);
	return {
		url,
		issuer,
		received,
		all,
		last(route) {
			const found = all(route).at(-1);
			if (found === undefined) throw new Error(`${route} did not come`);
			return found;
		},
		revokeAccessTokens: () => accessTokens.clear(),
		revokeRefreshTokens: () => refreshTokens.clear(),
		script: current,
	};
}

export const REDIRECT_URI = "http://127.0.0.1:8976/callback";

/** A person who agrees to everything: the address that the authorization server redirects to. */
export async function approve({ authorizationUrl }: McpAuthorizationRequest): Promise<string> {
	const { headers, status } = await fetch(authorizationUrl, { redirect: "manual" });
	const location = headers.get("location");
	if (location === null) throw new Error(`The page answers ${status}`);
	return location;
}

export const oauth = (options: Partial<McpOAuthOptions> = {}) =>
	mcpOAuth({ authorize: approve, redirectUri: REDIRECT_URI, ...options });

export const connectWith = (
	{ url }: Pick<OAuthServers, "url">,
	options: Partial<McpOAuthOptions> = {},
	more: Partial<McpClientOptions> = {},
): McpClient => createMcpClient({ url, maxRetries: 0, auth: oauth(options), ...more });

/** A modern list and no session: one request for each call. */
export const ROUTES = {
	mcp: "mcp POST /mcp",
	resource: "mcp GET /.well-known/oauth-protected-resource/mcp",
	rootResource: "mcp GET /.well-known/oauth-protected-resource",
	metadata: "issuer GET /.well-known/oauth-authorization-server",
	authorize: "issuer GET /authorize",
	register: "issuer POST /register",
	token: "issuer POST /token",
} as const;

/** Creates an in-memory token store with asynchronous methods, like one that several processes share. */
export function createStore(): McpTokenStore & { readonly stored: Map<string, McpAuthorization> } {
	const stored = new Map<string, McpAuthorization>();
	return {
		stored,
		get: async (server) => stored.get(server),
		set: async (server, authorization) => void stored.set(server, authorization),
		delete: async (server) => void stored.delete(server),
	};
}

export const grants = (servers: OAuthServers): readonly unknown[] =>
	servers.all(ROUTES.token).map(({ body }) => body.grant_type);

const realNow = Date.now.bind(Date);

/** Sets the clock forward until the end of the test. */
export function advanceClock(milliseconds: number): void {
	const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + milliseconds);
	onTestFinished(() => clock.mockRestore());
}

/** Longer than a new token counts as just issued. */
export const PAST_MIN_INTERVAL_MS = 61_000;
