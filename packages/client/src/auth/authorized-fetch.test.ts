import { describe, expect, it } from "vitest";
import { accessToken, authorizedFetch, createClient, Stemma } from "../index";
import { CLIENT_KEY, useTestServer } from "../test-support/test-client";
import { respondWithError, respondWithJson, respondWithTokens } from "../test-support/test-server";

const server = useTestServer();
const connect = () =>
	createClient({ clientId: "cl_1", clientSecret: "topsecretclientsecret", baseUrl: server().url });
const toUrl = (path = "/v1/models"): string => server().url + path;
const sent = () => server().requests.map(({ headers }) => headers.authorization);

describe("an access token", () => {
	it("is fetched when it is needed, and shared with the client", async () => {
		server().on("POST /oauth/token", respondWithTokens());
		const token = accessToken(connect());
		expect(server().tokenRequests).toHaveLength(0);
		expect(await Promise.all([token(), token()])).toEqual(["token_1", "token_1"]);
		expect(server().tokenRequests).toHaveLength(1);
	});

	it("is not to be had with a client key", async () => {
		const stemma = new Stemma({ clientKey: CLIENT_KEY, baseUrl: server().url });
		await expect(stemma.accessToken()).rejects.toMatchObject({
			name: "ConfigurationError",
			message: expect.stringContaining("clientKey"),
		});
	});
});

describe("an authorized fetch", () => {
	it("puts the client's credential in the place of any other", async () => {
		server().on("POST /oauth/token", respondWithTokens());
		server().on("GET /v1/models", respondWithJson({ object: "list" }));
		const fetch = authorizedFetch(connect());
		await fetch(toUrl(), { headers: { authorization: "Bearer none", "x-mark": "1" } });
		await fetch(new URL(toUrl()), { headers: [["x-mark", "2"]] });
		await fetch(new Request(toUrl(), { headers: { "x-mark": "3" } }));
		expect(sent()).toEqual(["Bearer token_1", "Bearer token_1", "Bearer token_1"]);
		expect(server().requests.map(({ headers }) => headers["x-mark"])).toEqual(["1", "2", "3"]);
		const page = authorizedFetch(createClient({ clientKey: CLIENT_KEY, baseUrl: server().url }));
		await page(toUrl());
		expect(sent().at(-1)).toBe(`Bearer ${CLIENT_KEY}`);
	});

	it.each<readonly [string, () => Parameters<typeof fetch>]>([
		["text", () => [toUrl(), { method: "POST", body: "{}" }]],
		["a request", () => [new Request(toUrl(), { method: "POST", body: "{}" })]],
	])("tries once more with a new token after a 401: %s", async (_, toArguments) => {
		server().on("POST /oauth/token", respondWithTokens());
		server().on("POST /v1/models", (request, response) =>
			request.headers.authorization === "Bearer token_1"
				? respondWithError(401, { code: "token_expired" })({} as never, response)
				: respondWithJson({ ok: true })({} as never, response),
		);
		const response = await authorizedFetch(connect())(...toArguments());
		expect(response.status).toBe(200);
		expect(sent()).toEqual(["Bearer token_1", "Bearer token_2"]);
		expect(server().requests.map(({ body }) => body.toString())).toEqual(["{}", "{}"]);
	});

	it("hands on a second 401, and that of a client key at once", async () => {
		server().on("POST /oauth/token", respondWithTokens());
		server().on("GET /v1/models", respondWithError(401, { code: "token_expired" }));
		expect((await authorizedFetch(connect())(toUrl())).status).toBe(401);
		expect(sent()).toHaveLength(2);
		const page = createClient({ clientKey: CLIENT_KEY, baseUrl: server().url });
		expect((await authorizedFetch(page)(toUrl())).status).toBe(401);
		expect(sent()).toHaveLength(3);
	});

	it.each([301, 302, 307, 308])("follows no redirect: %d", async (status) => {
		const otherRequests: string[] = [];
		server().on("POST /elsewhere", ({ body }, response) => {
			otherRequests.push(body.toString());
			respondWithJson({})({} as never, response);
		});
		server().on("POST /v1/models", (_, response) => {
			response.writeHead(status, { location: "/elsewhere" }).end();
		});
		const fetch = authorizedFetch(createClient({ clientKey: CLIENT_KEY, baseUrl: server().url }));
		for (const input of [toUrl(), new Request(toUrl(), { method: "POST", body: "A prompt." })])
			await expect(
				fetch(input, { method: "POST", body: "A prompt.", redirect: "follow" }),
			).rejects.toMatchObject({
				name: "ConnectionError",
				code: "redirected",
			});
		expect(otherRequests).toEqual([]);
		expect(sent()).toHaveLength(2);
	});

	it.each(["https://elsewhere.example/v1/models", "http://127.0.0.1:1/v1/models"])(
		"sends the credential to nobody else: %s",
		async (url) => {
			const fetch = authorizedFetch(connect());
			await expect(fetch(url)).rejects.toMatchObject({ name: "ConfigurationError" });
			const below = createClient({ clientKey: CLIENT_KEY, baseUrl: `${server().url}/stemma` });
			await expect(authorizedFetch(below)(toUrl("/stemma/../v1"))).rejects.toMatchObject({
				name: "ConfigurationError",
			});
			expect(server().tokenRequests).toHaveLength(0);
			expect(sent()).toEqual([]);
		},
	);
});
