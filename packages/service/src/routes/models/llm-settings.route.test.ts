import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type BedrockSimulator, startBedrockSimulator } from "@stemma/simulators/bedrock";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { isAboutOneInstance } from "../../test-support/alternating-service";
import { isOnPostgres } from "../../test-support/test-database";

const PATH = "/v1/workspace/llm-settings";
const SECRETS = "/v1/workspace/secrets";
const KEY = "sk-workspace-4f1d9c77";
const SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";
const US = "https://bedrock-runtime.us-east-1.amazonaws.com";
const EU = "https://bedrock-runtime.eu-central-1.amazonaws.com";
const encryption = { keys: [{ id: "one", key: { value: Buffer.alloc(32, 7).toString("base64") } }] };

type Call = [method: string, path: string, json?: unknown];

const paths: Call[] = [
	["PUT", PATH, { provider: "openai-compatible", base_url: "not an address", model: "m" }],
	["GET", PATH],
	["DELETE", PATH],
	["POST", `${PATH}/test`, {}],
	["GET", `${PATH}/stages`],
	["GET", "/v1/llm-providers"],
];

const secretPaths: Call[] = [
	["GET", SECRETS],
	["PUT", `${SECRETS}/crm`, { server_url: "not an address" }],
	["GET", `${SECRETS}/crm`],
	["DELETE", `${SECRETS}/crm`],
];

describe("a service without an encryption key", () => {
	let service: TestService;
	beforeAll(async () => {
		service = await startTestService();
	});
	afterAll(() => service.end());

	it.each<Call>(paths)("%s %s answers 401, then 403, then 501", async (method, path, json) => {
		const send = (credential?: string | null) =>
			service.send(path, {
				method,
				...(json !== undefined && { json }),
				...(credential !== undefined && { credential }),
			});
		expect((await send(null)).status).toBe(401);
		const weak = await getToken(service.current(), service.credentials, "ask");
		expect([(await send(weak)).status, (await send(weak)).body.error.code]).toEqual([403, "missing_scope"]);
		const { status, body } = await send();
		expect([status, body.error.code]).toEqual([501, "encryption_not_configured"]);
		expect(body.error.hint).toContain("STEMMA_ENCRYPTION_KEY");
	});

	it("answers questions as before, and has nothing to warn of", async () => {
		const { body } = await service.send("/v1/models");
		expect(body.data[0].stemma.payer).toBe("none");
		expect((await service.send("/readyz")).body).not.toHaveProperty("warnings");
	});

	it.each<Call>(secretPaths)("%s %s answers 501 for secrets, too", async (method, path, json) => {
		const { status, body } = await service.send(path, { method, ...(json !== undefined && { json }) });
		expect([status, body.error.code]).toEqual([501, "encryption_not_configured"]);
	});

	describe("with settings without an API key that were stored while there was one", () => {
		const log: Record<string, unknown>[] = [];
		beforeAll(async () => {
			const logger = pino({ level: "warn" }, { write: (line) => void log.push(JSON.parse(line)) });
			await service.restart({ encryption }, { logger });
			const json = { provider: "openai-compatible", base_url: "http://127.0.0.1:9/v1", model: "own" };
			expect((await service.send(PATH, { method: "PUT", json })).status).toBe(200);
			expect(await readPayer()).toBe("workspace");
			expect(log).toEqual([]);
			await service.restart({}, { logger });
		});
		const readPayer = async () => (await service.send("/v1/models")).body.data[0].stemma.payer;

		it("ignores them, and says so in the log and in /readyz", async () => {
			expect(await readPayer()).toBe("none");
			expect(log).toContainEqual(expect.objectContaining({ workspaces: 1, code: "llm_settings_ignored" }));
			const ready = await service.send("/readyz");
			expect([ready.status, ready.body]).toEqual([
				200,
				{
					status: "ready",
					version: expect.any(String),
					warnings: [{ code: "llm_settings_ignored", message: expect.stringContaining("1 workspace") }],
				},
			]);
		});

		it.each<Call>(paths)("%s %s answers 501 all the same", async (method, path, json) => {
			const { status, body } = await service.send(path, { method, ...(json !== undefined && { json }) });
			expect([status, body.error.code]).toEqual([501, "encryption_not_configured"]);
		});

		it("uses them again when there is an encryption key", async () => {
			await service.restart({ encryption });
			expect(await readPayer()).toBe("workspace");
			expect((await service.send(PATH)).body).toMatchObject({ model: "own", has_api_key: false });
			expect((await service.send("/readyz")).body).not.toHaveProperty("warnings");
		});
	});
});

it.skipIf(isAboutOneInstance("others know of a new workspace after a moment"))(
	"calls its own machine for one tenant by default, and for several only where that is opened",
	async () => {
		const vendor = await startOpenAiSimulator();
		const service = await startTestService({ encryption });
		const json = { provider: "openai-compatible", base_url: vendor.baseUrl, model: "m" };
		expect((await service.send(PATH, { method: "PUT", json })).status).toBe(200);
		await service.current().createWorkspace("second");
		const refused = await service.send(PATH, { method: "PUT", json });
		expect([refused.status, refused.body.error.code]).toEqual([422, "blocked_address"]);
		const messages = [{ role: "user", content: "?" }];
		const called = await service.send("/v1/chat/completions", { json: { model: "default", messages } });
		expect(called.body.error.code).toBe("blocked_address");
		expect(vendor.requests).toEqual([]);
		await service.end();
		await vendor.close();
	},
);

describe("a service with an encryption key", () => {
	let vendor: OpenAiSimulator;
	let host: OpenAiSimulator;
	let amazon: BedrockSimulator;
	let service: TestService;
	let base_url: string;
	const put = (json: object) => service.send(PATH, { method: "PUT", json });
	const settings = () => ({ provider: "openai-compatible", base_url, model: "own-model" });

	beforeAll(async () => {
		vendor = await startOpenAiSimulator({ apiKey: KEY });
		host = await startOpenAiSimulator({ apiKey: "sk-of-the-host" });
		amazon = await startBedrockSimulator({
			credentials: [{ accessKeyId: "AKIAWORKSPACE", secretAccessKey: SECRET }],
		});
		base_url = vendor.baseUrl;
		service = await startTestService({
			encryption,
			outbound: { allow: ["127.0.0.1"] },
			providers: {
				host: {
					provider: "openai-compatible",
					base_url: host.baseUrl,
					credential: { value: "sk-of-the-host" },
					default_model: "host-model",
				},
			},
			chat: "host",
		});
	});
	afterAll(async () => {
		await service.end();
		await Promise.all([vendor.close(), host.close(), amazon.close()]);
	});

	/** What is read where nothing is set: the deployment's format and model, and neither its address nor its key. */
	const UNSET = {
		provider: null,
		base_url: null,
		model: null,
		has_api_key: false,
		status: "ok",
		created_at: null,
		updated_at: null,
		updated_by: null,
		deployment: { provider: "openai-compatible", model: "host-model" },
	};
	const clear = () => service.send(PATH, { method: "DELETE" });

	it("has none at first, and forgets them as often as it is told", async () => {
		expect(await service.send(PATH)).toMatchObject({ status: 200, body: UNSET });
		const untested = await service.send(`${PATH}/test`, { json: {} });
		expect([untested.status, untested.body.error.code]).toEqual([422, "not_set"]);
		expect((await clear()).body).toEqual({ deleted: false });
		await put({ ...settings(), api_key: KEY });
		expect((await clear()).body).toEqual({ deleted: true });
		expect((await clear()).status).toBe(200);
	});

	it("takes what was read where nothing is set, with its fields filled in", async () => {
		await clear();
		const { body } = await service.send(PATH);
		expect(JSON.stringify(body)).not.toContain(new URL(host.baseUrl).host);
		expect((await put({ ...body, ...settings() })).body).toMatchObject({ ...settings(), has_api_key: false });
		expect((await service.send(PATH)).body).not.toHaveProperty("deployment");
	});

	it("stores them and never shows the key", async () => {
		const saved = await put({
			...settings(),
			base_url: `${base_url}/chat/completions/`,
			api_key: ` ${KEY}\n`,
		});
		expect(saved.status).toBe(200);
		expect(saved.body).toMatchObject({ ...settings(), has_api_key: true, status: "ok", warnings: [] });
		const read = await service.send(PATH);
		expect(read.body).toMatchObject({
			...settings(),
			has_api_key: true,
			updated_by: service.credentials.client_id,
		});
		expect(JSON.stringify([saved.body, read.body])).not.toContain(KEY.slice(-4));
		const again = await put({ ...read.body, model: "another" });
		expect(again.body).toMatchObject({
			model: "another",
			has_api_key: true,
			created_at: read.body.created_at,
		});
	});

	it("lets the workspace pay, and nobody else when its key fails", async () => {
		await put({ ...settings(), api_key: KEY });
		const messages = [{ role: "user", content: "Hello?" }];
		const answered = await service.send("/v1/chat/completions", { json: { model: "default", messages } });
		expect(answered.body.stemma.receipt).toMatchObject([{ payer: "workspace", model: "own-model" }]);
		const before = host.requests.length;
		vendor.enqueue({ kind: "failure", status: 401, message: `Incorrect API key provided: ${KEY}` });
		const failed = await service.send("/v1/chat/completions", { json: { model: "default", messages } });
		expect([failed.status, failed.body.error.code]).toEqual([502, "invalid_credential"]);
		expect(failed.body.error.hint).toContain("`api_key`");
		expect(JSON.stringify(failed.body)).not.toContain(KEY);
		expect(host.requests.length).toBe(before);
	});

	it("keeps, replaces and removes a key", async () => {
		await put({ ...settings(), api_key: KEY });
		expect((await put(settings())).body.has_api_key).toBe(true);
		expect((await put({ ...settings(), api_key: null })).body.has_api_key).toBe(false);
		expect((await put(settings())).body.has_api_key).toBe(false);
		expect((await put({ ...settings(), api_key: "" })).status).toBe(400);
	});

	it.each([
		["another path", { base_url: "/v2" }],
		["another host", { base_url: "https://evil.example/v1" }],
		["another format", { provider: "bedrock", base_url: US }],
	])("does not send a stored key to %s, nor tests it there", async (_, change) => {
		await put({ ...settings(), api_key: KEY });
		const to = change.base_url.startsWith("/") ? base_url.replace(/\/v1$/, change.base_url) : change.base_url;
		for (const answer of [
			await put({ ...settings(), ...change, base_url: to }),
			await service.send(`${PATH}/test`, { json: { ...change, base_url: to } }),
		])
			expect([answer.status, answer.body.error.code]).toEqual([422, "api_key_required"]);
		expect((await service.send(PATH)).body).toMatchObject(settings());
	});

	it("lets a key of AWS move between regions of one partition alone", async () => {
		const bedrock = { provider: "bedrock", model: "global.amazon.nova-2-lite-v1:0" };
		await put({ ...bedrock, base_url: US, api_key: `AKIAWORKSPACE:${SECRET}` });
		expect((await put({ ...bedrock, base_url: EU })).body).toMatchObject({ base_url: EU, has_api_key: true });
		const gov = await put({ ...bedrock, base_url: "https://bedrock-runtime.us-gov-west-1.amazonaws.com" });
		expect(gov.body.error.code).toBe("api_key_required");
		const stages = await service.send(`${PATH}/stages`);
		expect(stages.body.stages).toContainEqual(
			expect.objectContaining({ stage: "answer", payer: "workspace", credential: "workspace" }),
		);
	});

	it.each([
		["base_url_not_plain", { base_url: "https://user:secret-pass@models.example/v1" }],
		["base_url_not_plain", { base_url: "https://models.example/v1?key=secret-pass" }],
		["invalid_settings", { base_url: "ftp://models.example" }],
		["provider_not_supported", { provider: "anthropic" }],
		["credential_required", { provider: "bedrock", base_url: US }],
		["credential_required", { provider: "bedrock", base_url: US, api_key: null }],
		["invalid_credential", { provider: "bedrock", base_url: US, api_key: "AKIA:" }],
		["expired_credential", { provider: "bedrock", base_url: US, api_key: expired() }],
		[
			"region_mismatch",
			{ provider: "bedrock", base_url: US, model: "eu.amazon.nova-lite-v1:0", api_key: "k" },
		],
		["base_url_not_aws", { provider: "bedrock", base_url: "https://aws.example", api_key: "k" }],
		["insecure_base_url", { base_url: "http://8.8.8.8/v1", api_key: "k" }],
		["blocked_address", { base_url: "http://169.254.169.254/v1" }],
		["blocked_address", { base_url: "https://10.0.0.8/v1", api_key: "k" }],
	])("refuses with %s: %j", async (code, change) => {
		await clear();
		const { status, body } = await put({ ...settings(), ...change });
		expect([status, body.error.code]).toEqual([422, code]);
		expect(body.error.param).toBeDefined();
		expect(JSON.stringify(body)).not.toContain("secret-pass");
		expect((await service.send(PATH)).body).toEqual(UNSET);
	});

	it("tests with one real, tiny call, and stores nothing", async () => {
		await clear();
		const before = vendor.requests.length;
		const { status, body } = await service.send(`${PATH}/test`, { json: { ...settings(), api_key: KEY } });
		expect(status).toBe(200);
		expect(body).toMatchObject({
			ok: true,
			model: "own-model",
			stages: ["rewrite", "score", "answer"],
			embeddings_checked: false,
		});
		expect(body.latency_ms).toBeGreaterThanOrEqual(0);
		expect(vendor.requests.length).toBe(before + 1);
		expect((await service.send(PATH)).body).toEqual(UNSET);
	});

	it("tells of a test that fails what to do next, and repeats nothing of the vendor's", async () => {
		await put({ ...settings(), api_key: "sk-wrong-9911223344" });
		const { body } = await service.send(`${PATH}/test`, { json: {} });
		expect(body).toMatchObject({ ok: false, error: { code: "invalid_credential" } });
		expect(body.error.hint).toContain("`api_key`");
		expect(JSON.stringify(body)).not.toContain("sk-wrong");
	});

	it("speaks to a Bedrock that the operator has opened, and signs with the workspace's keys alone", async () => {
		const { baseUrl } = amazon;
		const bedrock = { provider: "bedrock", base_url: baseUrl, model: "amazon.nova-lite-v1:0" };
		const saved = await put({ ...bedrock, api_key: `AKIAWORKSPACE:${SECRET}:us-east-1` });
		expect(saved.status).toBe(200);
		expect((await service.send(`${PATH}/test`, { json: {} })).body).toMatchObject({ ok: true });
		expect(amazon.requests.at(-1)?.credential).toMatchObject({ accessKeyId: "AKIAWORKSPACE" });
	});

	it("takes the region of a gateway from the credential, and says where it is missing", async () => {
		const bedrock = { provider: "bedrock", base_url: amazon.baseUrl, model: "amazon.nova-lite-v1:0" };
		const keys = { accessKeyId: "AKIAWORKSPACE", secretAccessKey: SECRET };
		const missing = await put({ ...bedrock, api_key: JSON.stringify(keys) });
		expect([missing.status, missing.body.error.code, missing.body.error.param]).toEqual([
			422,
			"invalid_settings",
			"api_key",
		]);
		expect(missing.body.error.hint).toMatch(/`region`.*`api_key`.*`ACCESS:SECRET:REGION`/);
		expect(JSON.stringify(missing.body)).not.toMatch(/`credential|baseUrl/);
		await put({ ...bedrock, api_key: JSON.stringify({ region: "us-east-1", credentials: keys }) });
		expect((await service.send(`${PATH}/test`, { json: {} })).body).toMatchObject({ ok: true });
	});

	it.skipIf(isOnPostgres())(
		"calls no address that may not be called, and shows it to nobody who may not set it",
		async () => {
			await put({ ...settings(), api_key: null });
			const file = join(service.folder, "workspaces", `${service.credentials.workspace_id}.sqlite`);
			const database = new DatabaseSync(file);
			database.exec("UPDATE llm_settings SET base_url = 'http://10.0.0.8/v1'");
			database.close();
			const json = { model: "default", messages: [{ role: "user", content: "?" }] };
			const failure = await service.send("/v1/chat/completions", { json });
			expect([failure.status, failure.body.error.code]).toEqual([422, "blocked_address"]);
			expect(failure.body.error.hint).toContain("`outbound.allow`");
			const credential = await getToken(service.current(), service.credentials, "ask");
			const hidden = await service.send("/v1/chat/completions", { json, credential });
			expect([hidden.status, hidden.body.error.code]).toEqual([422, "blocked_address"]);
			expect(JSON.stringify(hidden.body)).not.toMatch(/10\.0|outbound/);
			await service.send(PATH, { method: "DELETE" });
		},
	);

	it("writes down a test that nobody waited for", async () => {
		await put({ ...settings(), api_key: KEY });
		vendor.enqueue({ kind: "silence" });
		const credential = await getToken(service.current(), service.credentials);
		const gone = new AbortController();
		const request = new Request(`http://127.0.0.1:4000${PATH}/test`, {
			method: "POST",
			headers: { authorization: `Bearer ${credential}` },
			signal: gone.signal,
		});
		const requestCount = vendor.requests.length;
		const aborted = service.current().fetch(request);
		await expect.poll(() => vendor.requests.length).toBe(requestCount + 1);
		gone.abort();
		await aborted;
		const { body } = await service.send("/v1/audit?action=llm_settings.tested&limit=1");
		expect(body.data).toMatchObject([{ details: { outcome: "aborted" } }]);
	});

	it("limits how often a test is made", async () => {
		await put({ ...settings(), api_key: KEY });
		const statuses: number[] = [];
		for (let count = 0; count < 12; count++)
			statuses.push((await service.send(`${PATH}/test`, { json: {} })).status);
		expect(statuses.at(-1)).toBe(429);
	});

	it("lists vendors, and shows another workspace nothing of this one", async () => {
		expect((await service.send("/v1/llm-providers")).body.data.length).toBeGreaterThan(5);
		await put({ ...settings(), api_key: KEY });
		const other = await service.current().createWorkspace("other");
		const credential = await getToken(service.current(), other);
		expect((await service.send(PATH, { credential })).body).toEqual(UNSET);
		const { body } = await service.send(`${PATH}/stages`, { credential });
		expect(body.stages.every(({ payer }: { payer: string }) => payer !== "workspace")).toBe(true);
	});

	it("writes down who changed what, without the key", async () => {
		await put({ ...settings(), api_key: KEY });
		const { body } = await service.send("/v1/audit?limit=1");
		expect(body.data).toMatchObject([
			{
				action: "llm_settings.set",
				actor: service.credentials.client_id,
				details: { model: "own-model", api_key: "replaced" },
			},
		]);
		expect(JSON.stringify(body)).not.toContain(KEY);
	});
});

function expired(): string {
	const keys = { AccessKeyId: "AKIAEXPIRED", SecretAccessKey: "s3cret", SessionToken: "t" };
	return JSON.stringify({ ...keys, Expiration: "2020-01-01T00:00:00Z" });
}
