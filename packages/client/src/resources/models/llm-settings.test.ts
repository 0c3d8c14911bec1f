import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ConnectionError, llmSettings, NotConfiguredError, workspaceSecrets } from "../../index";
import { clientOf, useTestServer } from "../../test-support/test-client";
import {
	closeConnection,
	neverRespond,
	type ReceivedRequest,
	respondWithError,
	respondWithJson,
	sendError,
} from "../../test-support/test-server";

const SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const API_KEY = `{"access_key_id": "AKIAIOSFODNN7EXAMPLE",\n"secret_access_key": "${SECRET_KEY}"}`;
const SETTINGS = { provider: "openai-compatible", base_url: "https://models.example/v1", model: "small" };
const ROUTE = "/v1/workspace/llm-settings";

const server = useTestServer();
const thrown = (work: PromiseLike<unknown>): Promise<unknown> =>
	Promise.resolve(work).then(
		() => expect.unreachable(),
		(error: unknown) => error,
	);

describe("a key", () => {
	it.each([
		["is sent", { ...SETTINGS, api_key: API_KEY }],
		["is removed with null", { ...SETTINGS, api_key: null }],
		["stays as it is where it is left out", SETTINGS],
		["stays as it is where it is undefined", { ...SETTINGS, api_key: undefined } as typeof SETTINGS],
	])("%s", async (_, request) => {
		server().on(`(PUT|POST) ${ROUTE}(/test)?`, respondWithJson({ ok: true }));
		const { set, test } = llmSettings(clientOf(server()));
		await set(request);
		await test(request);
		for (const { body } of server().requests) expect(body.toString()).toBe(JSON.stringify(request));
		expect(server().requests).toHaveLength(2);
	});

	const logged: string[] = [];
	const log = (message: string): void => void logged.push(message);
	const client = () => clientOf(server(), { logger: { debug: log, warn: log } });
	const calls = [
		["set", () => llmSettings(client()).set({ ...SETTINGS, api_key: API_KEY })],
		["test", () => llmSettings(client()).test({ api_key: API_KEY })],
		[
			"a secret",
			() => workspaceSecrets(client()).set("crm", { server_url: "https://crm.example", value: API_KEY }),
		],
	] as const;
	const formatError = (error: unknown): string =>
		`${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}${logged.join()}`;

	it.each(calls)("shows in no error of %s, whatever answers", async (_, call) => {
		const echo = ({ body }: ReceivedRequest): string => `You sent ${body} and ${SECRET_KEY}`;
		server().on("(PUT|POST) /v1/.*", (request, response) =>
			sendError(response, 422, {
				code: "no_secret",
				message: echo(request),
				hint: `Not ${API_KEY}`,
				details: { sent: [request.json(), API_KEY] },
			}),
		);
		const error = await thrown(call());
		expect(error).toMatchObject({
			name: "InvalidRequestError",
			status: 422,
			code: "no_secret",
			hint: "Not [redacted]",
			requestId: "req_1",
			details: { sent: [expect.anything(), "[redacted]"] },
		});
		expect(formatError(error)).toContain("You sent");
		expect(formatError(error)).not.toContain(SECRET_KEY);
	});

	it.each(calls)("shows in no error of %s when nothing answers", async (_, call) => {
		server().on("(PUT|POST) /v1/.*", closeConnection);
		const error = await thrown(call());
		expect(error).toSatisfy(ConnectionError.is);
		expect(formatError(error)).not.toContain(SECRET_KEY);
		expect(logged.join()).toMatch(/(PUT|POST) \/v1\/workspace/);
	});
});

describe("llmSettings", () => {
	it("throws what tells the cases apart", async () => {
		server().on(`GET ${ROUTE}`, respondWithError(501, { code: "encryption_not_configured" }));
		server().on(`PUT ${ROUTE}`, respondWithError(501, { code: "encryption_not_configured" }));
		const { get, set } = llmSettings(clientOf(server()));
		expect(await thrown(get())).toSatisfy(NotConfiguredError.is);
		expect(await thrown(set({ ...SETTINGS, api_key: API_KEY }))).toSatisfy(NotConfiguredError.is);
		expect(server().requests).toHaveLength(2);
	});

	it("reads what the deployment uses where nothing is set", async () => {
		const unset = { provider: null, has_api_key: false, deployment: { provider: "bedrock", model: "nova" } };
		server().on(`GET ${ROUTE}`, respondWithJson(unset));
		const settings = await llmSettings(clientOf(server())).get();
		// The `null` alone tells the two apart, for the compiler too.
		const inUse = settings.provider === null ? settings.deployment : settings;
		expect([inUse.provider, inUse.model]).toEqual(["bedrock", "nova"]);
	});

	it("tests once what may have begun, and again what was refused", async () => {
		const { test } = llmSettings(clientOf(server()));
		server().on(`POST ${ROUTE}/test`, closeConnection);
		expect(await thrown(test())).toSatisfy(ConnectionError.is);
		expect(server().requests).toHaveLength(1);
		server().sequence(
			`POST ${ROUTE}/test`,
			respondWithError(429, { code: "busy" }),
			respondWithJson({ ok: false }),
		);
		expect(await test()).toEqual({ ok: false });
		expect(server().requests[2]?.json()).toEqual({});
	});

	it("waits longer for a test, and as long as the call says", async () => {
		server().on(`POST ${ROUTE}/test`, neverRespond);
		const { test } = llmSettings(clientOf(server(), { timeouts: { headersTimeoutMs: 20 } }));
		const error = await thrown(test({}, { timeouts: { timeoutMs: 200 } }));
		expect(error).toMatchObject({ timeout: "timeoutMs" });
		const timeoutError = await thrown(test({}, { timeouts: { headersTimeoutMs: 30 } }));
		expect(timeoutError).toMatchObject({ timeout: "headersTimeoutMs", timeoutMs: 30 });
	});
});
