// The client under test of the conformance suite, which says what to do by its environment, and where by the last argument.
import { createPrivateKey, sign } from "node:crypto";
import { createMcpClient } from "../../../packages/client/dist/mcp.js";
import { mcpClientCredentials, mcpOAuth } from "../../../packages/client/dist/mcp-oauth.js";

const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT = "{}" } = process.env;
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT);
const url = process.argv.at(-1);

/** The suite's authorization server asks nobody: its page redirects at once. */
async function followRedirect({ authorizationUrl }) {
	const { headers } = await fetch(authorizationUrl, { redirect: "manual" });
	return headers.get("location");
}

/** A client that a person would have registered. */
const { client_id: id, client_secret: secret, issuer } = context;
const registered = id === undefined ? [] : [{ id, secret, issuer }];

const withPerson = () =>
	mcpOAuth({
		authorize: followRedirect,
		redirectUri: "http://localhost:3000/callback",
		clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
		clients: registered,
	});

/** The suite does not say in advance who the issuer is: the operator of a client would know. */
async function findIssuer() {
	const { origin, pathname } = new URL(url);
	const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
	return (await metadata.json()).authorization_servers[0];
}

/** ES256, as `jose` and others do it. */
function signJwt(claims) {
	const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
	const signed = `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}`;
	const key = { key: createPrivateKey(context.private_key_pem), dsaEncoding: "ieee-p1363" };
	return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

async function withoutPerson() {
	const key = context.private_key_pem === undefined ? { secret } : { signJwt };
	return mcpClientCredentials({ clients: [{ id, issuer: await findIssuer(), servers: [url], ...key }] });
}

const isForClient = scenario?.startsWith("auth/client-credentials");

const client = createMcpClient({
	url,
	clientInfo: { name: "stemma-under-test", version: "1.0.0" },
	maxRetries: 0,
	auth: isForClient ? await withoutPerson() : withPerson(),
});

/** Accepts whatever it is asked for. */
async function callAndAccept(name) {
	let outcome = await client.callTool(name, {});
	while (outcome.status === "input_required") {
		const keys = Object.keys(outcome.inputRequests ?? {});
		const accepted = keys.map((key) => [key, { action: "accept", content: { confirmed: true } }]);
		outcome = await outcome.continue(Object.fromEntries(accepted));
	}
}

const callTestTool = () => client.callTool("test-tool", {});

const SCENARIOS = {
	tools_call: () => client.callTool("add_numbers", { a: 5, b: 3 }),
	"sse-retry": () => client.callTool("test_reconnection", {}),
	"http-standard-headers": async () => {
		for (const name of ["test_headers", "my-hyphenated-tool"]) await client.callTool(name, {});
	},
	"http-custom-headers": async () => {
		for (const { name, arguments: args } of context.toolCalls) await client.callTool(name, args);
	},
	"http-invalid-tool-headers": async ({ tools }) => {
		for (const { name } of tools) await client.callTool(name, { region: "eu" });
	},
	"json-schema-2020-12-preservation": ({ tools }) => {
		const { inputSchema } = tools.find(({ name }) => name === "json_schema_2020_12_tool");
		return client.callTool("json_schema_echo", { schema: inputSchema });
	},
	"sep-2322-client-request-state": async () => {
		const [first] = await Promise.all([
			client.callTool("test_mrtr_echo_state", {}),
			client.callTool("test_mrtr_unrelated", {}),
		]);
		await client.callTool("test_mrtr_unrelated", {});
		await first.continue({ confirm: { action: "accept", content: { confirmed: true } } });
		await callAndAccept("test_mrtr_no_state");
		await callAndAccept("test_mrtr_no_result_type");
	},
	"auth/scope-step-up": callTestTool,
	"auth/authorization-server-migration": callTestTool,
};

const listed = await client.listTools();
await SCENARIOS[scenario]?.(listed);
await client.close();
