import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { serveCommands } from "./commands.mjs";

// An app with the official client: it knows the address of the server alone, and acts as the person that lets it.
const state = "state-of-the-app";
const stored = {};
let authorizationUrl;
let answered;
const redirected = new Promise((resolve) => {
	answered = resolve;
});

/** Where the person comes back to. */
const callback = createServer((request, response) => {
	const { searchParams } = new URL(request.url, "http://localhost");
	response.end("You can close this page.");
	if (searchParams.has("state")) answered(searchParams);
});
await new Promise((resolve) => callback.listen(0, "127.0.0.1", resolve));
const redirectUrl = `http://127.0.0.1:${callback.address().port}/callback`;

const provider = {
	redirectUrl,
	clientMetadata: { client_name: "Official client", redirect_uris: [redirectUrl] },
	state: () => state,
	clientInformation: () => stored.client,
	saveClientInformation(client) {
		stored.client = client;
	},
	tokens: () => stored.tokens,
	saveTokens(tokens) {
		stored.tokens = tokens;
	},
	saveCodeVerifier(verifier) {
		stored.verifier = verifier;
	},
	codeVerifier: () => stored.verifier,
	/** The server accepts the refresh token no more. */
	invalidateCredentials() {
		stored.tokens = undefined;
	},
	redirectToAuthorization(url) {
		authorizationUrl = url.href;
	},
};

let transport;
let client;
const open = (url) => {
	transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
	client = new Client({ name: "person-app", version: "1.0.0" });
};

serveCommands({
	/** Begins to connect: the person has to be sent to the address that comes back. */
	async begin({ url }) {
		open(url);
		const error = await client.connect(transport).then(
			() => undefined,
			(refusal) => refusal,
		);
		return { authorizationUrl, redirectUrl, error: error?.name };
	},
	/** Goes on once the person is back. */
	async finish({ url }) {
		const parameters = await redirected;
		if (parameters.get("state") !== state) throw new Error("The state is another one.");
		await transport.finishAuth(parameters);
		open(url);
		await client.connect(transport);
		return { scope: stored.tokens.scope, parameters: [...parameters.keys()] };
	},
	listTools: () => client.listTools(),
	callTool: (params) => client.callTool(params),
	/** Forgets the access token, as if it had expired: the client has to refresh. */
	async expire({ url }) {
		const { refresh_token } = stored.tokens;
		stored.tokens = { ...stored.tokens, access_token: "expired" };
		open(url);
		await client.connect(transport);
		return { hasNewRefreshToken: stored.tokens.refresh_token !== refresh_token };
	},
	async reconnect({ url }) {
		authorizationUrl = undefined;
		open(url);
		await client.connect(transport);
	},
	readAuthorizationUrl: () => authorizationUrl,
});
