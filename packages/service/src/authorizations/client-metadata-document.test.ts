import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fetchMetadataDocument, isMetadataUrl, toAppName } from "./client-metadata-document";

const ID = "https://app.example/client.json";
const DOCUMENT = { client_id: ID, client_name: "An App", redirect_uris: ["https://app.example/callback"] };

let server: Server;
let respond: { status?: number; headers?: Record<string, string>; body: string };
beforeAll(async () => {
	server = createServer((_, response) => {
		response.writeHead(respond.status ?? 200, respond.headers).end(respond.body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());
beforeEach(() => {
	respond = { body: JSON.stringify(DOCUMENT) };
});

/** Sends what goes to the app's host to the server of the test. */
const read = () => {
	const { port } = server.address() as AddressInfo;
	return fetchMetadataDocument(ID, (url, init) =>
		fetch(url.replace("https://app.example", `http://127.0.0.1:${port}`), init),
	);
};

it("is an app with its name and addresses", async () => {
	expect(await read()).toEqual({ id: ID, name: "An App", redirectUris: DOCUMENT.redirect_uris });
	respond.body = JSON.stringify({ ...DOCUMENT, client_name: undefined });
	expect(await read()).toMatchObject({ name: "app.example" });
});

describe("a document is no app", () => {
	it.each([
		["of another id", { body: JSON.stringify({ ...DOCUMENT, client_id: `${ID}?` }) }],
		["without addresses", { body: JSON.stringify({ ...DOCUMENT, redirect_uris: [] }) }],
		["with a dangerous address", { body: JSON.stringify({ ...DOCUMENT, redirect_uris: ["javascript:1"] }) }],
		[
			"that needs a secret",
			{ body: JSON.stringify({ ...DOCUMENT, token_endpoint_auth_method: "client_secret_post" }) },
		],
		["that is no JSON", { body: "<html>" }],
		["that is too large", { body: JSON.stringify({ ...DOCUMENT, logo_uri: "x".repeat(20_000) }) }],
		["that was moved", { status: 302, headers: { location: "https://evil.example/" }, body: "" }],
		["that is missing", { status: 404, body: JSON.stringify(DOCUMENT) }],
	])("%s", async (_, answer) => {
		respond = answer;
		await expect(read()).rejects.toMatchObject({ code: "invalid_client" });
	});
});

it.each([
	[ID, true],
	["https://app.example/client.json?v=2", true],
	["https://app.example/", false],
	["https://app.example", false],
	["http://app.example/client.json", false],
	["https://app.example/a/../client.json", false],
	["https://APP.example/client.json", false],
	["https://app.example/client.json#x", false],
	["https://user@app.example/client.json", false],
	["app_01", false],
])("%j is the address of a document: %s", (id, expected) => {
	expect(isMetadataUrl(id)).toBe(expected);
});

it("shows names on one line", () => {
	expect(toAppName(" An\u202e\n App ", "x")).toBe("An App");
	expect(toAppName("\u200b", "host")).toBe("host");
	expect(toAppName("x".repeat(1_000), "host")).toHaveLength(100);
});
