import { describe, expect, it } from "vitest";
import { failure } from "../test-support/mcp-server";
import {
	advanceClock,
	connectWith,
	type OAuthServers,
	PAST_MIN_INTERVAL_MS,
	ROUTES,
	serveOAuth,
} from "./test-support/oauth-servers";

const CLIENT_METADATA_URL = "https://app.example/client.json";
const SECRET = "by-hand & secret";
const preRegistered = ({ issuer }: OAuthServers, more: object = {}) => [{ issuer, id: "by-hand", ...more }];

describe("the client id", () => {
	it("is that of a client registered by hand, first of all", async () => {
		const servers = await serveOAuth({ issuerMetadata: { client_id_metadata_document_supported: true } });
		await connectWith(servers, {
			clients: preRegistered(servers),
			clientMetadataUrl: CLIENT_METADATA_URL,
		}).listTools();
		expect(servers.last(ROUTES.token).body.client_id).toBe("by-hand");
		expect(servers.all(ROUTES.register)).toEqual([]);
	});

	it("is the address of the metadata document, where the authorization server takes it", async () => {
		const servers = await serveOAuth({ issuerMetadata: { client_id_metadata_document_supported: true } });
		await connectWith(servers, { clientMetadataUrl: CLIENT_METADATA_URL }).listTools();
		expect(servers.last(ROUTES.authorize).query.client_id).toBe(CLIENT_METADATA_URL);
		expect(servers.all(ROUTES.register)).toEqual([]);
	});

	it("is registered dynamically last of all", async () => {
		const servers = await serveOAuth();
		await connectWith(servers, {
			clientMetadataUrl: CLIENT_METADATA_URL,
			clientMetadata: { client_name: "Orders", client_uri: "https://app.example" },
		}).listTools();
		expect(servers.last(ROUTES.register).body).toEqual({
			client_name: "Orders",
			client_uri: "https://app.example",
			redirect_uris: ["http://127.0.0.1:8976/callback"],
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
			token_endpoint_auth_method: "none",
			application_type: "native",
		});
	});

	it.each([
		["https://app.example/callback", "web"],
		["http://localhost:3000/callback", "native"],
		["com.example.app:/callback", "native"],
	])("is registered for %s as %s", async (redirectUri, type) => {
		const servers = await serveOAuth();
		await connectWith(servers, { redirectUri }).listTools();
		expect(servers.last(ROUTES.register).body).toMatchObject({
			application_type: type,
			redirect_uris: [redirectUri],
		});
	});

	it("is an error where there is no way to one, before a person is asked", async () => {
		const servers = await serveOAuth({ issuerMetadata: { registration_endpoint: undefined } });
		const clients = [{ issuer: "https://other.example", id: "other", secret: SECRET }];
		const error = await failure(connectWith(servers, { clients }).listTools());
		expect(error).toMatchObject({ name: "McpOAuthError", code: "client_required" });
		expect(error.hint).toContain("http://127.0.0.1:8976/callback");
		expect(servers.all(ROUTES.authorize)).toEqual([]);
	});

	it("is an error where the registration is refused", async () => {
		const reject = () => ({ status: 400, body: { error: "invalid_redirect_uri" } });
		const servers = await serveOAuth({ replies: { [ROUTES.register]: reject } });
		expect(await failure(connectWith(servers).listTools())).toMatchObject({
			code: "registration_refused",
			oauthError: "invalid_redirect_uri",
		});
	});

	it("is registered again after it was forgotten there", async () => {
		const servers = await serveOAuth();
		const respondUnknownClient = () => ({ status: 401, body: { error: "invalid_client" } });
		const client = connectWith(servers);
		servers.script.current = { replies: { [ROUTES.token]: respondUnknownClient } };
		expect(await failure(client.listTools())).toMatchObject({ code: "token_refused" });
		servers.script.current = {};
		await client.listTools();
		expect(servers.all(ROUTES.register)).toHaveLength(2);
	});

	it("is registered again when a refresh shows that it was forgotten there", async () => {
		const servers = await serveOAuth();
		const client = connectWith(servers);
		await client.listTools();
		servers.revokeAccessTokens();
		advanceClock(PAST_MIN_INTERVAL_MS);
		const isUnknownClient = (id: unknown): boolean => id === "client-1";
		servers.script.current = {
			replies: {
				[ROUTES.token]: ({ body }) =>
					isUnknownClient(body.client_id) ? { status: 401, body: { error: "invalid_client" } } : undefined,
				[ROUTES.authorize]: ({ query }) => (isUnknownClient(query.client_id) ? { status: 400 } : undefined),
			},
		};
		expect((await client.callTool("add")).status).toBe("complete");
		expect(servers.all(ROUTES.authorize).map(({ query }) => query.client_id)).toEqual([
			"client-1",
			"client-2",
		]);
	});

	it("is registered again when its secret has expired", async () => {
		const servers = await serveOAuth({
			authMethod: "client_secret_post",
			replies: {
				[ROUTES.register]: () => ({
					status: 201,
					body: { client_id: "c", client_secret: SECRET, client_secret_expires_at: 1 },
				}),
			},
		});
		const client = connectWith(servers);
		await client.listTools();
		servers.revokeAccessTokens();
		servers.revokeRefreshTokens();
		advanceClock(PAST_MIN_INTERVAL_MS);
		await client.listTools();
		expect(servers.all(ROUTES.register)).toHaveLength(2);
	});

	it("is that of the authorization server for which there is a client by hand, of several", async () => {
		const servers = await serveOAuth();
		servers.script.current = {
			resourceMetadata: { authorization_servers: ["https://other.example", servers.issuer] },
		};
		await connectWith(servers, { clients: preRegistered(servers) }).listTools();
		expect(servers.last(ROUTES.token).body.client_id).toBe("by-hand");
	});
});

describe("at the token endpoint", () => {
	it.each(["client_secret_basic", "client_secret_post"] as const)(
		"a client by hand authenticates by %s",
		async (authMethod) => {
			const servers = await serveOAuth({ authMethod });
			await connectWith(servers, { clients: preRegistered(servers, { secret: SECRET }) }).listTools();
			const { headers, body } = servers.last(ROUTES.token);
			const basic = Buffer.from("by-hand:by-hand%20%26%20secret").toString("base64");
			const isBasic = authMethod === "client_secret_basic";
			expect(headers.authorization).toBe(isBasic ? `Basic ${basic}` : undefined);
			expect(body.client_secret).toBe(isBasic ? undefined : SECRET);
			expect(body.client_id).toBe(isBasic ? undefined : "by-hand");
		},
	);

	it.each(["none", "client_secret_basic", "client_secret_post"] as const)(
		"a registered client authenticates by %s",
		async (authMethod) => {
			const servers = await serveOAuth({ authMethod });
			await connectWith(servers).listTools();
			expect(servers.last(ROUTES.register).body.token_endpoint_auth_method).toBe(authMethod);
		},
	);

	it("authenticates by client_secret_basic where the server does not say how", async () => {
		const servers = await serveOAuth({
			authMethod: "client_secret_basic",
			issuerMetadata: { token_endpoint_auth_methods_supported: undefined },
		});
		await connectWith(servers, { clients: preRegistered(servers, { secret: SECRET }) }).listTools();
		expect(servers.last(ROUTES.token).headers.authorization).toMatch(/^Basic /);
	});

	it("cannot authenticate by what it has no secret for", async () => {
		const servers = await serveOAuth();
		const clients = preRegistered(servers, { authMethod: "client_secret_post" as const });
		expect(await failure(connectWith(servers, { clients }).listTools())).toMatchObject({
			code: "client_required",
		});
	});
});
