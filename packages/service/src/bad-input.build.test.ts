import type { Json } from "@stemma/core";
import * as built from "@stemma/service";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BodyRoute, kindOf, listBodyRoutes, SAMPLES, toBody } from "./test-support/body-routes";
import { expectApiError, readApiError } from "./test-support/expect-error";
import { type TestResponse, toStream } from "./test-support/send-request";
import { recordRoutes } from "./test-support/service-routes";
import { countRowsWhenIdle, countStoredRows } from "./test-support/stored-rows";
import { addTenant, getBody, type Tenant } from "./test-support/tenant";
import { openTestDeployment, type TestDeployment } from "./test-support/test-deployment";

const UPLOAD_BYTES = 1_000_000;
/** Number of cases, the same each time; `STEMMA_SEED` draws others. A fifth of them but in `npm run test:all`. */
const PROPERTY_OPTIONS = {
	seed: Number(process.env.STEMMA_SEED ?? 1),
	interruptAfterTimeLimit: 20_000,
	numRuns: process.env.STEMMA_TESTS === "all" ? 100 : 20,
};
const NAMES = listBodyRoutes({} as Tenant).map(({ method, path }) => `${method} ${path}`);

let deployment: TestDeployment;
let routes: readonly string[];
let tenant: Tenant;
let bodyRoutes: readonly BodyRoute[];
/** Makes vectors, and answers where a body that is right has set it. */
let vendor: OpenAiSimulator;

beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	routes = await recordRoutes(async () => {
		deployment = await openTestDeployment(built, {
			embeddings: { base_url: vendor.baseUrl, model: "vectors", dimensions: 256 },
			limits: { upload_bytes: UPLOAD_BYTES },
		});
	});
	tenant = await addTenant(deployment, "aardvark");
	bodyRoutes = listBodyRoutes(tenant, vendor.baseUrl);
});
afterAll(async () => {
	await deployment?.close();
	await vendor?.close();
});

/** After bad input the store is as it was, and the service answers. */
async function expectUntouched(work: () => Promise<void>): Promise<void> {
	const before = await countRowsWhenIdle(deployment.folder);
	await work();
	expect(countStoredRows(deployment.folder)).toEqual(before);
	expect((await tenant.send("GET", "/readyz")).status).toBe(200);
}

const sendText = (
	{ method, path }: Pick<BodyRoute, "method" | "path">,
	body: BodyInit,
	headers: Record<string, string> = {},
): Promise<TestResponse> =>
	tenant.send(method, path, { body, headers: { "content-type": "application/json", ...headers } });

const sendJson = (route: BodyRoute, json: Json): Promise<TestResponse> =>
	sendText(route, JSON.stringify(json));

it("all routes that take JSON are looked at", () => {
	// Protocols have checks, and errors, of their own; those who manage workspaces are other callers, and their bodies are
	// looked at in `workspaces.build.test.ts`.
	const others = [
		/\/v1\/workspaces\b/,
		/\/rotate$/,
		/\/(cancel|retry|title)$/,
		/^POST \/oauth\/(token|register|revoke)$/,
		// For people alone, whose tests have it.
		/^POST \/v1\/authorization/,
		/\/v1\/(passkeys|sign-in)\b/,
		/^POST \/(a2a|mcp|retrieval|api\/v1)\b/,
		// They have the token of a link, or a passkey, in place of a credential: their tests are those of people.
		/^POST \/v1\/session($|\/passkey|\/workspace)/,
		/^POST \/v1\/shared-runs$/,
	];
	const taking = routes.filter(
		(route) => /^(POST|PUT|PATCH) /.test(route) && !others.some((other) => other.test(route)),
	);
	expect(NAMES.map((name) => name.replaceAll("undefined", ":id")).sort()).toEqual(taking);
});

describe.each(NAMES.map((name, index) => ({ name, index })))("$name", ({ index }) => {
	let route: BodyRoute;
	beforeAll(() => {
		route = bodyRoutes[index] as BodyRoute;
	});

	it("refuses what is not JSON", () =>
		expectUntouched(async () => {
			const whole = JSON.stringify(toBody(route));
			const broken = [
				"",
				" ",
				"{",
				"nonsense",
				whole.slice(0, -1),
				`${whole}}`,
				whole.slice(0, 9),
				"{'name': 1}",
				"\u0000",
			];
			for (const text of [...broken, "NaN", "[1,]", '{"a":1,}', '"\u0001"'])
				expectApiError(await sendText(route, text), 400, "invalid_json");
			expectApiError(await sendText(route, new Uint8Array([0x22, 0xff, 0xfe, 0x22])), 400, "invalid_json");
		}));

	it("refuses JSON of another kind than an object", () =>
		expectUntouched(async () => {
			for (const value of [null, true, 7, "text", [], [toBody(route)]] as Json[])
				expectApiError(await sendJson(route, value), 400, "invalid_request");
		}));

	it("refuses other content types", () =>
		expectUntouched(async () => {
			const text = JSON.stringify(toBody(route));
			const types = [
				"text/plain",
				"application/x-www-form-urlencoded",
				"application/json; charset=latin1",
				"application/jsonx",
				"a",
				"application/xml",
			];
			for (const type of types)
				expectApiError(await sendText(route, text, { "content-type": type }), 415, "unsupported_media_type");
			const untyped = await tenant.send(route.method, route.path, { body: new TextEncoder().encode(text) });
			expectApiError(untyped, 415, "unsupported_media_type");
		}));

	it("refuses bodies that are too large, declared or not", () =>
		expectUntouched(async () => {
			const isUpload = route.path.endsWith("/documents");
			const maxBytes = isUpload ? 1.5 * UPLOAD_BYTES : (route.isLarge ? 20 : 2) * 1024 * 1024;
			const declared = await sendText(route, "{}", { "content-length": String(maxBytes + 1) });
			expectApiError(declared, 413, "body_too_large");
			const chunks = new Array(Math.ceil(maxBytes / 65_536) + 1).fill(new Uint8Array(65_536).fill(0x20));
			const chunked = await sendText(route, toStream(chunks));
			expectApiError(chunked, 413, "body_too_large");
		}));

	it("names the field that is missing", () =>
		expectUntouched(async () => {
			for (const [name] of Object.entries(route.fields).filter(([, { isRequired }]) => isRequired)) {
				const { [name]: _, ...rest } = toBody(route);
				const answer = await sendJson(route, rest);
				expectApiError(answer, 400, "invalid_request");
				expect(readApiError(answer).param).toBe(name);
			}
		}));

	it("names the field that is of another kind", () =>
		expectUntouched(async () => {
			for (const [name, field] of Object.entries(route.fields)) {
				const taken = [kindOf(field.value), ...(field.alsoTaken ?? [])];
				for (const [kind, value] of Object.entries(SAMPLES)) {
					if (taken.includes(kind as keyof typeof SAMPLES)) continue;
					const answer = await sendJson(route, { ...toBody(route), [name]: value as Json });
					const label = `${name}: ${JSON.stringify(value)} → ${answer.status} ${answer.text}`;
					expect([400, 422], label).toContain(answer.status);
					expect(String(readApiError(answer).param), label).toMatch(new RegExp(`^${name}\\b`));
				}
			}
		}));

	it("refuses a field that it does not know, and names the one that was meant", async () => {
		if (route.isLenient) return;
		await expectUntouched(async () => {
			for (const name of Object.keys(route.fields)) {
				const answer = await sendJson(route, { ...toBody(route), [`${name}s`]: 1 });
				expectApiError(answer, 400, "unknown_field");
				expect(readApiError(answer)).toMatchObject({
					param: `${name}s`,
					message: expect.stringContaining(`Did you mean "${name}"?`),
				});
			}
			for (const name of ["__proto__", "constructor", "prototype", "toString", "", "\u0000", "a b"]) {
				const text = `{${JSON.stringify(name)}:1,${JSON.stringify(toBody(route)).slice(1)}`;
				expectApiError(await sendText(route, text), 400, "unknown_field");
			}
		});
	});

	it("takes 100,000 levels of nesting for a mistake of the caller", () =>
		expectUntouched(async () => {
			// What a lenient route ignores may be as deep as it likes.
			const names = Object.keys(route.fields).filter((name) => !IGNORED_FIELDS.includes(name));
			for (const value of DEEP)
				for (const name of names) {
					const text = JSON.stringify({ ...toBody(route), [name]: "@" }).replace('"@"', () => value);
					const answer = await sendText(route, text, { "idempotency-key": `deep-${name}` });
					expect([400, 413, 422], `${name} → ${answer.status} ${answer.text}`).toContain(answer.status);
					readApiError(answer);
				}
		}));

	it("never fails by itself, whatever JSON it is given", () =>
		fc.assert(
			fc.asyncProperty(arbitraryBody(toBody(route)), async (body) => {
				const { status, text } = await sendJson(route, body as Json);
				expect(status, text).toBeLessThan(500);
			}),
			PROPERTY_OPTIONS,
		));
});

/** Fields of chat completions that take any object. */
const IGNORED_FIELDS = ["stream_options", "stemma"];

const LEVELS = 100_000;
const DEEP = [
	`${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}`,
	`${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`,
];

/** What changes while a document is read. */
const VOLATILE_FIELDS = { status: "", passage_count: 0, updated_at: "" };

/** Ways to keep a text. */
const MAKERS: Readonly<Record<string, (text: string, tenant: Tenant) => { path: string; json: object }>> = {
	"knowledge base": (text) => ({
		path: "/v1/knowledge-bases",
		json: { name: `n${text}`, description: text },
	}),
	client: (text) => ({ path: "/v1/clients", json: { name: text } }),
	"client key": (text) => ({ path: "/v1/client-keys", json: { name: text, native: true, agents: [text] } }),
	agent: (text) => ({
		path: "/v1/agents",
		json: { graph: { name: text, nodes: [{ id: "a", kind: "coordinator", instructions: text }] } },
	}),
	document: (text, { knowledgeBase }) => ({
		path: `/v1/knowledge-bases/${knowledgeBase}/documents`,
		json: { text: `Odd ${text}`, title: `t${text}`, source: `s${text}`, metadata: { [`k${text}`]: text } },
	}),
};

/** Any JSON, and bodies of which some fields, at any depth, are any JSON. */
const arbitraryBody = (body: Json): fc.Arbitrary<unknown> =>
	fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 6, arbitrary: arbitraryJson(body) });

function arbitraryJson(value: Json): fc.Arbitrary<unknown> {
	const same = Array.isArray(value)
		? fc.tuple(...value.map(arbitraryJson))
		: typeof value === "object" && value !== null
			? fc.record(
					Object.fromEntries(Object.entries(value).map(([name, part]) => [name, arbitraryJson(part)])),
					{
						requiredKeys: [],
					},
				)
			: fc.constant(value);
	return fc.oneof(
		{ weight: 8, arbitrary: same },
		{ weight: 1, arbitrary: fc.jsonValue() },
		{ weight: 1, arbitrary: odd },
	);
}

const odd = fc.constantFrom(
	"",
	"\u0000",
	"\ud800",
	"a\u0000b",
	"💥".repeat(300),
	-1,
	0,
	1e308,
	1.5,
	2 ** 53,
	null,
);

describe("nested fields that are not known", () => {
	it.each([
		["/v1/ask", { history: [{ role: "user", content: "a", nme: 1 }] }, "history[0].nme"],
		["/v1/ask", { model: { modle: "default" } }, "model.modle"],
	])("are refused: %s %j", async (path, part, param) => {
		const route = bodyRoutes.find((candidate) => candidate.path === path) as BodyRoute;
		const answer = await sendJson(route, { ...toBody(route), ...part } as Json);
		expectApiError(answer, 400, "unknown_field");
		expect(readApiError(answer).param).toBe(param);
	});

	it("are refused in graphs", async () => {
		const route = bodyRoutes.find(({ path }) => path === "/v1/agents") as BodyRoute;
		const json = { graph: { nodes: [{ id: "a", kind: "coordinator", maxTurn: 1 }] } };
		const answer = await sendJson(route, json);
		expectApiError(answer, 422, "agent_invalid");
		expect(readApiError(answer)).toMatchObject({
			param: "graph.nodes[0].maxTurn",
			message: expect.stringContaining("Did you mean"),
		});
	});
});

describe("text that is odd", () => {
	const texts = [
		"a\u0000b",
		"\ud800x",
		"x\udfff",
		"\u202e",
		"e\u0301",
		"💥",
		"\ufeffx",
		"'; DROP TABLE documents; --",
		"{{context.a}} %s",
	];

	describe.each(texts)("%j", (text) => {
		it.each(Object.keys(MAKERS))("is refused, or kept as it was acknowledged: %s", async (kind) => {
			const { path, json } = MAKERS[kind]?.(text, tenant) ?? { path: "", json: {} };
			const made = await tenant.send("POST", path, { json });
			if (made.status === 400) return void readApiError(made);
			const {
				client_secret: _,
				client_key: __,
				data,
				...shown
			} = await getBody<Record<string, unknown>>(Promise.resolve(made));
			const [acknowledged] = (data ?? [shown]) as readonly [Record<string, unknown>];
			const stored = await getBody<object>(tenant.send("GET", `${path}/${acknowledged.id}`));
			expect({ ...stored, ...VOLATILE_FIELDS }).toEqual({ ...acknowledged, ...VOLATILE_FIELDS });
		});
	});

	it.each(texts)("is refused, or kept as it was acknowledged, as a model or a secret: %j", async (text) => {
		const json = { provider: "openai-compatible", base_url: vendor.baseUrl, model: text };
		const secret = { server_url: vendor.baseUrl, value: text };
		for (const [path, body] of [
			["/v1/workspace/llm-settings", json],
			["/v1/workspace/secrets/odd", secret],
		] as const) {
			const made = await tenant.send("PUT", path, { json: body });
			if (made.status === 400) {
				readApiError(made);
				continue;
			}
			const { warnings: _, ...acknowledged } = await getBody<{ warnings?: unknown }>(Promise.resolve(made));
			expect(await getBody<object>(tenant.send("GET", path))).toEqual(acknowledged);
		}
	});

	it("is searched for, and asked", async () => {
		// Whatever the bodies above have made of it, which may be a model that nobody has.
		await getBody(tenant.send("DELETE", "/v1/workspace/llm-settings"));
		const model = { llm_provider: null, llm_model: null };
		await getBody(tenant.send("PATCH", `/v1/knowledge-bases/${tenant.knowledgeBase}`, { json: model }));
		for (const text of [
			...texts.filter((text) => text.isWellFormed()),
			'"',
			"AND OR NOT NEAR",
			"NEAR(a b)",
			"a*",
			"^a",
			"knowledge_base:kb1",
			"title:x",
			"(",
			'"a" OR "b',
		]) {
			const knowledge_base_ids = [tenant.knowledgeBase];
			const search = await tenant.send("POST", "/v1/search", {
				json: { query: `harbour ${text}`, knowledge_base_ids },
			});
			expect(search.status, search.text).toBe(200);
			const bare = await tenant.send("POST", "/v1/search", { json: { query: text, knowledge_base_ids } });
			expect([200, 400], bare.text).toContain(bare.status);
			const ask = await tenant.send("POST", "/v1/ask", {
				json: { question: `harbour ${text}`, knowledge_base_ids },
			});
			expect(ask.status, ask.text).toBe(200);
			const run = await tenant.send("POST", `/v1/agents/${tenant.agent}/run`, {
				json: { input: text, context: { text } },
			});
			expect(run.status, run.text).toBe(200);
		}
	});
});

describe("settings that are wrong", () => {
	const settings = { provider: "openai-compatible", base_url: "https://models.example/v1", model: "m" };
	const PATH = "/v1/workspace/llm-settings";

	it.each([
		["provider", "p".repeat(257)],
		["provider", " "],
		["base_url", `https://models.example/${"x".repeat(2000)}`],
		["base_url", "\t"],
		["model", "m".repeat(257)],
		["model", "\u00a0"],
		["api_key", "k".repeat(16_385)],
		["api_key", "\n"],
	])("are refused for their length: %s %.20j", async (name, value) => {
		for (const [method, path] of [
			["PUT", PATH],
			["POST", `${PATH}/test`],
		] as const)
			await expectUntouched(async () => {
				const answer = await tenant.send(method, path, { json: { ...settings, [name]: value } });
				expectApiError(answer, 400, "invalid_request");
				expect(readApiError(answer).param).toBe(name);
			});
	});

	it.each([
		"hidden-word",
		"//hidden-word/v1",
		"http://",
		"http://[::1/hidden-word",
		"http://a b/hidden-word",
		"file:///etc/hidden-word",
		"javascript:alert('hidden-word')",
		"data:,hidden-word",
		"https://hidden-word@models.example/v1",
		"https://models.example/v1#hidden-word",
		"https://models.example/v1?k=hidden-word",
		"https://models.example\u0000hidden-word",
	])("are refused for their address, which is not repeated: %j", async (base_url) => {
		for (const provider of ["openai-compatible", "bedrock"])
			await expectUntouched(async () => {
				const json = { ...settings, provider, base_url, api_key: "a-hidden-word" };
				const answer = await tenant.send("PUT", PATH, { json });
				expectApiError(answer, 422, "base_url_not_plain", "invalid_settings");
				expect(readApiError(answer).param).toBe("base_url");
				expect(answer.text).not.toContain("hidden-word");
			});
	});

	it.each([
		"a-hidden-word:",
		":a-hidden-word",
		"a:b:c:d:a-hidden-word",
		'{"access_key_id": "a-hidden-word"}',
		'{"access_key_id": "a-hidden-word"',
		'["a-hidden-word"]',
		"a-hidden-word\u0000",
		"a-hidden-word\r\nx-injected: 1",
		"ключ-hidden-word",
	])("are refused for a credential that is none, which is not repeated: %j", (api_key) =>
		expectUntouched(async () => {
			const base_url = "https://bedrock-runtime.us-east-1.amazonaws.com";
			const json = { provider: "bedrock", base_url, model: "amazon.nova-lite-v1:0", api_key };
			const answer = await tenant.send("PUT", PATH, { json });
			expectApiError(answer, 422, "invalid_credential", "invalid_settings");
			expect(readApiError(answer).param).toBe("api_key");
			expect(answer.text).not.toContain("hidden-word");
		}),
	);

	it.each(["a-hidden-word\u0000", "a-hidden-word\r\nx-injected: 1", "ключ-hidden-word", "💥"])(
		"are refused for a key that no header can carry: %j",
		(api_key) =>
			expectUntouched(async () => {
				const answer = await tenant.send("PUT", PATH, { json: { ...settings, api_key } });
				expectApiError(answer, 422, "invalid_credential", "invalid_settings");
				expect(readApiError(answer).param).toBe("api_key");
				expect(answer.text).not.toContain("hidden-word");
			}),
	);
});

describe("names of prototypes", () => {
	it("change nothing for others", async () => {
		const raw = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
		for (const route of bodyRoutes)
			for (const name of Object.keys(route.fields)) {
				const text = JSON.stringify({ ...toBody(route), [name]: "@" }).replace('"@"', () => raw);
				expect((await sendText(route, text)).status).toBeLessThan(500);
			}
		expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
		expect((await sendText({ method: "POST", path: "/v1/search" }, '{"top_k":3}')).status).toBe(400);
	});
});
