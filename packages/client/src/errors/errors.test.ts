import { inspect } from "node:util";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import type { ConnectionOptions, KnowledgeDocument } from "../index";
import * as client from "../index";
import { serveRun } from "../test-support/fake-run";
import { CLIENT_KEY, clientOf, useTestServer } from "../test-support/test-client";
import {
	neverRespond,
	type RequestHandler,
	respondWithHtml,
	respondWithJson,
	sendError,
} from "../test-support/test-server";

const server = useTestServer();
afterEach(() => {
	vi.unstubAllGlobals();
});

const ask = (options: ConnectionOptions = {}): Promise<unknown> =>
	client.runs(clientOf(server(), { maxRetries: 0, ...options })).get("run_1");
const answered =
	(answer: RequestHandler): Act =>
	() => {
		server().on("GET /v1/runs/:id", answer);
		return ask();
	};

/** Repeats the credential, as nothing should. */
const refused = (status: number, error: object = {}): Act =>
	answered(({ headers }, response) => {
		response.setHeader("retry-after", "3");
		sendError(response, status, { code: "refused", message: `No: ${headers.authorization}`, ...error });
	});

const inPage = (options: object): Act => {
	return async () => {
		vi.stubGlobal("window", {});
		vi.stubGlobal("document", {});
		client.createClient({ baseUrl: "https://stemma.example", ...options } as client.ClientOptions);
	};
};

const configured =
	(options: object): Act =>
	async () =>
		client.createClient({ clientKey: CLIENT_KEY, ...options } as client.ClientOptions);

const failedDocument = (index: number): KnowledgeDocument =>
	({
		id: `doc_${index}`,
		title: `Page ${index}`,
		error: { code: "parse_failed", message: "Not a PDF." },
	}) as KnowledgeDocument;

const OTHER_ANSWER = "Check `baseUrl`: something other than the service may have answered.";
const BASE_URL_HINT =
	"Pass an address like https://stemma.example, without user name, query or fragment; or set STEMMA_BASE_URL in the environment.";
const responseOf = (status: number) => ({
	status,
	code: "refused",
	message: "No: Bearer [redacted]",
	requestId: "req_1",
	retryAfterMs: 3000,
});

type Act = () => Promise<unknown>;
/** What is done, and the error that comes of it, as JSON shows it: `PORT` is the server's. */
const CASES: readonly (readonly [
	string,
	Act,
	{ readonly name: string; readonly [field: string]: unknown },
])[] = [
	[
		"no credential",
		configured({ baseUrl: "https://stemma.example", clientKey: undefined }),
		{
			name: "ConfigurationError",
			code: "configuration",
			message:
				"The options need `clientId` and `clientSecret`, or `clientKey` or `session: true` alone; given: none.",
			hint: "Servers use the first, browsers and phones the second, pages of the service the third. What is `undefined` counts as not given.",
		},
	],
	[
		"a credential with a line break",
		configured({ baseUrl: "https://stemma.example", clientKey: "ck_1_topsecret\n" }),
		{
			name: "ConfigurationError",
			code: "configuration",
			option: "clientKey",
			message: "`clientKey` is empty, or has a character that no credential has.",
			hint: "Look for a space or a line break, and at the environment variable that it comes from.",
		},
	],
	[
		"a secret in a page",
		inPage({ clientId: "cl_1", clientSecret: "topsecret" }),
		{
			name: "ConfigurationError",
			code: "configuration",
			option: "clientSecret",
			message: "`clientSecret` was given in a browser page, where its users can read the secret.",
			hint: "Keep it on a server, or use a client key there. If no one else can read it, set `dangerouslyAllowBrowser: true`.",
		},
	],
	[
		"no address",
		configured({}),
		{
			name: "ConfigurationError",
			code: "configuration",
			option: "baseUrl",
			message: "`baseUrl` is missing.",
			hint: BASE_URL_HINT,
		},
	],
	[
		"a password in the address",
		configured({ baseUrl: "https://me:topsecret@stemma.example" }),
		{
			name: "ConfigurationError",
			code: "configuration",
			option: "baseUrl",
			message: "`baseUrl` is not a plain address.",
			hint: BASE_URL_HINT,
		},
	],
	[
		"a header with a line break",
		configured({ baseUrl: "https://stemma.example", headers: { "x-key": "topsecret\n" } }),
		{
			name: "ConfigurationError",
			code: "configuration",
			option: "headers.x-key",
			message: "`headers.x-key` has a character that no header can have.",
			hint: "Look for a line break in it.",
		},
	],
	[
		"a deadline of nothing",
		configured({ baseUrl: "https://stemma.example", timeouts: { timeoutMs: 0 } }),
		{
			name: "ConfigurationError",
			code: "configuration",
			option: "timeouts.timeoutMs",
			message: "`timeouts.timeoutMs` must be a number of at least 1.",
		},
	],
	[
		"nobody there",
		async () => {
			await server().close();
			return ask();
		},
		{
			name: "ConnectionError",
			code: "connection_failed",
			message: "No connection to http://127.0.0.1:PORT: fetch failed: connect ECONNREFUSED 127.0.0.1:PORT.",
			hint: "Is the service running there? In a browser: is this page's origin among those of the client key?",
		},
	],
	[
		"a network error that repeats the credential",
		() =>
			ask({ fetch: (_, { headers }) => Promise.reject(new TypeError(`${headers.authorization} failed.`)) }),
		{
			name: "ConnectionError",
			code: "connection_failed",
			message: "No connection to http://127.0.0.1:PORT: Bearer [redacted] failed.",
			hint: "Is the service running there? In a browser: is this page's origin among those of the client key?",
		},
	],
	[
		"a redirect",
		answered((_, response) => void response.writeHead(302, { location: "https://elsewhere.example" }).end()),
		{
			name: "ConnectionError",
			code: "redirected",
			message:
				"The address in `baseUrl`, http://127.0.0.1:PORT, answers with a redirect, which is not followed.",
			hint: "Set `baseUrl` to where the service really is: credentials are sent nowhere else.",
		},
	],
	[
		"no answer",
		async () => {
			server().on("GET /v1/runs/:id", neverRespond);
			return ask({ timeouts: { headersTimeoutMs: 30 } });
		},
		{
			name: "TimeoutError",
			code: "headers_timeout",
			message: "No answer came within 30 ms.",
			hint: "If it may take longer, raise `timeouts.headersTimeoutMs`, for the client or for this call.",
			timeout: "headersTimeoutMs",
			timeoutMs: 30,
		},
	],
	[
		"another server's success",
		answered(respondWithHtml),
		{
			name: "ApiError",
			code: "invalid_response",
			message: "The answer is not a JSON object.",
			hint: OTHER_ANSWER,
			status: 200,
			requestId: "req_1",
		},
	],
	[
		"another server's failure",
		answered((_, response) => void response.writeHead(502, { "content-type": "text/html" }).end("<html>")),
		{
			name: "ServerError",
			code: "http_502",
			message: "The answer was HTTP 502, without a reason.",
			hint: OTHER_ANSWER,
			status: 502,
			requestId: "req_1",
		},
	],
	[
		"400 with all that there is",
		refused(400, { hint: "Do better.", param: "graph.nodes[0].id", details: { issues: [] } }),
		{
			name: "InvalidRequestError",
			...responseOf(400),
			hint: "Do better.",
			param: "graph.nodes[0].id",
			details: { issues: [] },
		},
	],
	["401", refused(401), { name: "AuthenticationError", ...responseOf(401) }],
	["403", refused(403), { name: "PermissionError", ...responseOf(403) }],
	["404", refused(404), { name: "NotFoundError", ...responseOf(404) }],
	["409", refused(409), { name: "ConflictError", ...responseOf(409) }],
	["418", refused(418), { name: "ApiError", ...responseOf(418) }],
	["422", refused(422), { name: "InvalidRequestError", ...responseOf(422) }],
	["429", refused(429), { name: "RateLimitError", ...responseOf(429) }],
	["500", refused(500), { name: "ServerError", ...responseOf(500) }],
	["501", refused(501), { name: "NotConfiguredError", ...responseOf(501) }],
	[
		"an empty id",
		async () => client.runs(clientOf(server())).get(""),
		{
			name: "ConfigurationError",
			code: "configuration",
			message: "An id is missing: a non-empty string is required.",
		},
	],
	[
		"output that does not fit",
		async () => {
			serveRun(server());
			const output = { "~standard": { validate: () => ({ issues: [{ message: "Expected a number" }] }) } };
			return client.agents(clientOf(server())).run("desk", { input: "Hello", output });
		},
		{
			name: "StemmaError",
			code: "output_invalid",
			message: "The output of run_1 does not fit `output`: Expected a number",
			hint: "Give the graph's coordinator the same schema as its `output`, so that the model is held to it.",
		},
	],
	[
		"a run that failed",
		async () => {
			serveRun(server(), { status: "failed" });
			return client.agents(clientOf(server())).run("desk", { input: "Hello" });
		},
		{
			name: "RunFailedError",
			code: "model_failed",
			message: "It broke.",
			hint: "Mend it.",
			result: expect.objectContaining({ run_id: "run_1", status: "failed" }),
		},
	],
	[
		"a token endpoint without tokens",
		() => {
			server().on("POST /oauth/token", respondWithJson({}));
			const options = { clientId: "cl_1", clientSecret: "topsecret", baseUrl: server().url };
			return client.runs(client.createClient(options)).get("run_1");
		},
		{
			name: "ApiError",
			code: "invalid_response",
			message: "The token response has no access token.",
			hint: OTHER_ANSWER,
			status: 200,
			requestId: "req_0",
		},
	],
];

it.each(CASES)("%s", async (_, act, expectedTexts) => {
	const error = await act().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!client.isStemmaError(error)) throw error;
	const { port } = new URL(server().url);
	const withoutPort = (text: string): string => text.replaceAll(port, "PORT");
	expect(JSON.parse(withoutPort(JSON.stringify(error)))).toEqual(expectedTexts);
	const title = `${expectedTexts.name}: ${expectedTexts.message}`;
	expect(withoutPort(`${error}`)).toBe(title);
	expect(withoutPort(error.stack ?? "").startsWith(title)).toBe(true);
	const shown = inspect(error, { depth: 10, showHidden: true });
	expect(withoutPort(shown).startsWith(title)).toBe(true);
	for (const field of Object.keys(expectedTexts))
		expect(shown).toContain(field === "name" ? expectedTexts.name : field);
	expect(`${shown}${error.stack}${JSON.stringify(error)}`).not.toContain("undefined,");
	expect(`${shown}${error.stack}${JSON.stringify(error)}`).not.toMatch(/topsecret/);
});

describe("made by hand", () => {
	it.each([
		["headersTimeoutMs", "headers_timeout", "No answer came within 5 ms."],
		["idleTimeoutMs", "idle_timeout", "The stream was idle: no data came within 5 ms."],
		["eventTimeoutMs", "event_timeout", "The run made no progress: no event came within 5 ms."],
		["timeoutMs", "total_timeout", "The whole call did not end within 5 ms."],
	] as const)("TimeoutError of %s", (timeout, code, message) => {
		expect(new client.TimeoutError(timeout, 5)).toMatchObject({ timeout, timeoutMs: 5, code, message });
	});

	it("StreamError", () => {
		const error = new client.StreamError("It broke off.", { code: "stream_lost" });
		expect(JSON.parse(JSON.stringify(error))).toEqual({
			name: "StreamError",
			code: "stream_lost",
			message: "It broke off.",
			requestId: "",
		});
	});

	it("DocumentFailedError lists some, and counts the rest", () => {
		const documents = Array.from({ length: 7 }, (_, index) => failedDocument(index));
		const { message, code, hint } = new client.DocumentFailedError(documents);
		expect(message.split("\n").slice(0, 2)).toEqual([
			"7 documents could not be read:",
			"  Page 0 (doc_0): Not a PDF.",
		]);
		expect(message.split("\n").slice(5)).toEqual(["  Page 4 (doc_4): Not a PDF.", "  … and 2 more"]);
		expect({ code, hint }).toEqual({
			code: "document_failed",
			hint: "`error.documents` has each document with its own error.",
		});
	});
});

describe("`is`", () => {
	const errors = [
		new client.ConfigurationError("m"),
		new client.ConnectionError("m"),
		new client.TimeoutError("timeoutMs", 1),
		new client.NotFoundError({ status: 404, code: "c", message: "m" }),
		new client.ApiError({ status: 418, code: "c", message: "m" }),
		new client.StreamError("m", { code: "c" }),
		new TypeError("m"),
	];
	const names = (found: readonly Error[]): string[] => found.map(({ name }) => name);

	it("is handed on alone, and keeps its type", () => {
		const found = errors.filter(client.ApiError.is);
		expectTypeOf(found).toEqualTypeOf<client.ApiError[]>();
		expect(names(found)).toEqual(["NotFoundError", "ApiError"]);
		expect(names(errors.filter(client.NotFoundError.is))).toEqual(["NotFoundError"]);
		expect(names(errors.filter(client.StemmaError.is))).toHaveLength(6);
		expect(errors.some(client.ServerError.is)).toBe(false);
		const { is } = client.TimeoutError;
		expect(names(errors.filter(is))).toEqual(["TimeoutError"]);
	});

	it("narrows each class to itself", () => {
		const error: unknown = errors[3];
		if (client.NotFoundError.is(error)) expectTypeOf(error).toEqualTypeOf<client.NotFoundError>();
		if (client.TimeoutError.is(error)) expectTypeOf(error.timeout).toEqualTypeOf<client.TimeoutName>();
		if (client.StemmaError.is(error)) expectTypeOf(error).toEqualTypeOf<client.StemmaError>();
		if (client.RunFailedError.is(error)) expectTypeOf(error).toEqualTypeOf<client.RunFailedError>();
	});
});
