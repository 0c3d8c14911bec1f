import * as built from "@stemma/service";
import { type BedrockSimulator, startBedrockSimulator } from "@stemma/simulators/bedrock";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConfigurationInput } from "../../configuration/configuration-file";
import { expectApiError, readApiError } from "../../test-support/expect-error";
import { type SendRequest, sendTo, type TestResponse } from "../../test-support/send-request";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import {
	fetchToken,
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
	toTestConfiguration,
} from "../../test-support/test-deployment";

const SETTINGS = "/v1/workspace/llm-settings";
const DEPLOYMENT_KEY = "sk-of-the-host-7f31";
const WORKSPACE_KEY = "sk-of-the-workspace-9c02";
const NOVA = "amazon.nova-lite-v1:0";

/** All that Bedrock would take here. Only what the workspace has set may ever be used. */
const KEYS = {
	workspace: { accessKeyId: "AKIAWORKSPACE00", secretAccessKey: "wJalrXUtnFEMIK7MDENGbPxRfiCYWORKSPACE" },
	deployment: { accessKeyId: "AKIADEPLOYMENT0", secretAccessKey: "wJalrXUtnFEMIK7MDENGbPxRfiCYDEPLOYMENT" },
	machine: { accessKeyId: "AKIAMACHINE0000", secretAccessKey: "wJalrXUtnFEMIK7MDENGbPxRfiCYMACHINE" },
};
const MACHINE_TOKEN = "bedrock-api-key-of-the-machine";

let amazon: BedrockSimulator;
let host: OpenAiSimulator;
let own: OpenAiSimulator;

beforeAll(async () => {
	vi.stubEnv("AWS_ACCESS_KEY_ID", KEYS.machine.accessKeyId);
	vi.stubEnv("AWS_SECRET_ACCESS_KEY", KEYS.machine.secretAccessKey);
	vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", MACHINE_TOKEN);
	vi.stubEnv("AWS_REGION", "us-east-1");
	amazon = await startBedrockSimulator({
		credentials: Object.values(KEYS),
		bearerKeys: [MACHINE_TOKEN],
	});
	host = await startOpenAiSimulator({ apiKey: DEPLOYMENT_KEY });
	own = await startOpenAiSimulator({ apiKey: WORKSPACE_KEY });
});
afterEach(() => {
	for (const { headers } of amazon.requests)
		expect(headers.authorization).toContain(KEYS.workspace.accessKeyId);
	expect(JSON.stringify([amazon, host, own].map(({ requests }) => requests))).not.toContain("sealed1");
});
afterAll(async () => {
	vi.unstubAllEnvs();
	await Promise.all([amazon, host, own].map((vendor) => vendor?.close()));
});

const onHost = () => ({
	provider: "openai-compatible" as const,
	base_url: host.baseUrl,
	credential: { value: DEPLOYMENT_KEY },
	default_model: "host-model",
	allowed_models: ["host-second"],
});
const onAmazon = (credential?: { readonly value: string }) => ({
	provider: "bedrock" as const,
	base_url: amazon.baseUrl,
	default_model: NOVA,
	...(credential && { credential }),
});
const explicit = () => onAmazon({ value: toCredential(KEYS.deployment) });
const toCredential = (keys: { readonly accessKeyId: string; readonly secretAccessKey: string }): string =>
	`${keys.accessKeyId}:${keys.secretAccessKey}:us-east-1`;

const ownSettings = () => ({ provider: "openai-compatible", base_url: own.baseUrl, model: "own-model" });

interface Setup {
	readonly deployment: TestDeployment;
	readonly send: SendRequest;
	readonly workspace: TestWorkspace;
	/** One that may name a model, and another; each has a document. */
	readonly bases: readonly [string, string];
}

async function setUp(content: ConfigurationInput): Promise<Setup> {
	const deployment = await openTestDeployment(built, content);
	const workspace = await deployment.addWorkspace("one");
	const { send } = workspace;
	const addBase = async (name: string): Promise<string> => {
		const { id } = await getBody<{ id: string }>(send("POST", "/v1/knowledge-bases", { json: { name } }));
		const text = `The ${name} opens at nine and closes at five.`;
		await getBody(send("POST", `/v1/knowledge-bases/${id}/documents`, { json: { text } }));
		await waitUntilIndexed(send, id);
		return id;
	};
	return { deployment, workspace, send, bases: [await addBase("library"), await addBase("harbour")] };
}

interface Choice {
	readonly provider?: string;
	readonly model?: string;
}

const question = "When does the library open?";
const messages = [{ role: "user", content: question }];

const setBase = ({ send, bases: [base] }: Setup, { provider, model }: Choice): Promise<unknown> =>
	getBody(
		send("PATCH", `/v1/knowledge-bases/${base}`, {
			json: { llm_provider: provider ?? null, llm_model: model ?? null },
		}),
	);

async function run({ send }: Setup, node: object, bases: readonly string[]): Promise<TestResponse> {
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator", ...node },
			{ id: "books", kind: "knowledge", knowledgeBases: bases },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	};
	const { id } = await getBody<{ id: string }>(send("POST", "/v1/agents", { json: { graph } }));
	return send("POST", `/v1/agents/${id}/run`, { json: { input: question } });
}

type SendWith = (setup: Setup, choice: Choice) => Promise<TestResponse>;

/** All ways to name a provider or a model. */
const REQUESTS: Readonly<Record<string, SendWith>> = {
	"ask.model": ({ send, bases: [base] }, model) =>
		send("POST", "/v1/ask", { json: { question, knowledge_base_ids: [base], model } }),
	"chat/completions": ({ send }, { provider, model = "default" }) =>
		send("POST", "/v1/chat/completions", {
			json: { model, messages, ...(provider !== undefined && { stemma: { provider } }) },
		}),
	"a streamed completion": ({ send }, { provider, model = "default" }) =>
		send("POST", "/v1/chat/completions", { json: { model, messages, stream: true, stemma: { provider } } }),
	"a node of an agent": (setup, model) => run(setup, { model }, [setup.bases[0]]),
	"a knowledge base that is asked": async (setup, choice) => {
		await setBase(setup, choice);
		const { send, bases } = setup;
		return send("POST", "/v1/ask", { json: { question, knowledge_base_ids: [bases[0]] } });
	},
	"a knowledge base of an agent": async (setup, choice) => {
		await setBase(setup, choice);
		return run(setup, {}, [setup.bases[0]]);
	},
	"a knowledge base of a completion": async (setup, choice) => {
		await setBase(setup, choice);
		const json = { model: "default", messages, stemma: { knowledge_base_ids: [setup.bases[0]] } };
		return setup.send("POST", "/v1/chat/completions", { json });
	},
};
const ALL_REQUESTS = Object.entries(REQUESTS);
/** Those whose answer has a receipt in its body. */
const WHOLE_REQUESTS = ALL_REQUESTS.filter(([name]) => !name.includes("streamed"));

/** A refusal: of a run that has begun by then, or as an error. */
function expectRefused(answer: TestResponse, code: string): void {
	if (answer.status !== 200) return expectApiError(answer, 422, code);
	expect(answer.body, answer.text).toMatchObject({ status: "failed", error: { code }, receipt: [] });
}

/** The calls to models for its answer, by who paid. */
function expectPaid(answer: TestResponse, payer: string, model: string): void {
	expect(answer.status, answer.text).toBe(200);
	const { receipt, stemma } = answer.body as { receipt?: object[]; stemma?: { receipt: object[] } };
	const rows = receipt ?? stemma?.receipt ?? [];
	expect(rows.length).toBeGreaterThan(0);
	for (const row of rows) expect(row).toMatchObject({ payer, model });
}

const countCalls = (): number => amazon.requests.length + host.requests.length + own.requests.length;

interface NamedDeployment {
	readonly does: string;
	readonly toContent: () => ConfigurationInput;
	/** The refusal of a model without a provider. */
	readonly ofModel: string;
}

const DEPLOYMENTS: readonly NamedDeployment[] = [
	{
		does: "has a key of AWS beside another chat model",
		toContent: () => ({ providers: { main: onHost(), aws: explicit() }, chat: "main" }),
		ofModel: "model_not_allowed",
	},
	{
		does: "answers with Bedrock, on a key of its own",
		toContent: () => ({ providers: { aws: explicit() }, chat: "aws" }),
		ofModel: "model_not_allowed",
	},
	{
		does: "answers with Bedrock, on the machine's credentials",
		toContent: () => ({
			providers: { aws: onAmazon() },
			chat: "aws",
			aws: { allowAmbientCredentials: true },
		}),
		ofModel: "model_not_allowed",
	},
];

describe.each(DEPLOYMENTS)(
	"Bedrock without the workspace's credential, where the deployment $does",
	({ toContent, ofModel }) => {
		let setup: Setup;
		let calls: number;
		beforeAll(async () => {
			setup = await setUp(toContent());
		});
		afterAll(() => setup?.deployment.close());
		beforeEach(async () => {
			await setBase(setup, {});
			calls = countCalls();
		});
		afterEach(() => expect(countCalls()).toBe(calls));

		it.each([
			["PUT", SETTINGS],
			["POST", `${SETTINGS}/test`],
		])("cannot be set or tried: %s %s", async (method, path) => {
			const aws = "https://bedrock-runtime.us-east-1.amazonaws.com";
			for (const base_url of [amazon.baseUrl, aws])
				for (const api_key of [undefined, null]) {
					const json = { provider: "bedrock", base_url, model: NOVA, api_key };
					expectApiError(await setup.send(method, path, { json }), 422, "credential_required");
				}
			expect((await setup.send("GET", SETTINGS)).body).toMatchObject({ provider: null, has_api_key: false });
		});

		it.each(ALL_REQUESTS)("answers with no model of its own: %s", async (_, ask) => {
			expectRefused(await ask(setup, { model: "amazon.nova-pro-v1:0" }), ofModel);
		});

		describe.each(["no settings", "settings for another provider"])("with %s", (state) => {
			beforeAll(async () => {
				const json = { ...ownSettings(), api_key: WORKSPACE_KEY };
				await getBody(setup.send("DELETE", SETTINGS));
				if (state !== "no settings") await getBody(setup.send("PUT", SETTINGS, { json }));
			});

			it.each(ALL_REQUESTS)("answers nothing: %s", async (_, ask) => {
				for (const choice of [{ provider: "bedrock" }, { provider: "bedrock", model: NOVA }]) {
					expectRefused(await ask(setup, choice), "credential_required");
				}
			});
		});
	},
);

describe("a workspace with a credential for Bedrock", () => {
	it("is answered by it, whatever else there is", async () => {
		const setup = await setUp({ providers: { main: onHost(), aws: explicit() }, chat: "main" });
		const json = { provider: "bedrock", base_url: amazon.baseUrl, model: NOVA };
		const api_key = toCredential(KEYS.workspace);
		await getBody(setup.send("PUT", SETTINGS, { json: { ...json, api_key } }));
		for (const [, ask] of WHOLE_REQUESTS) {
			await setBase(setup, {});
			expectPaid(await ask(setup, { provider: "bedrock" }), "workspace", NOVA);
		}
		expect(amazon.requests.length).toBeGreaterThan(6);
		await setup.deployment.close();
	});
});

describe("the deployment's credentials", () => {
	let setup: Setup;
	beforeAll(async () => {
		setup = await setUp({ providers: { main: onHost() }, chat: "main" });
	});
	afterAll(() => setup?.deployment.close());
	beforeEach(() => setBase(setup, {}));

	describe.each(["nothing set", "a credential for Bedrock"])("for a workspace with %s", (state) => {
		// Its own provider is another one: of the deployment's it must name what it wants.
		const provider = state === "nothing set" ? {} : { provider: "openai-compatible" };
		beforeAll(async () => {
			await getBody(setup.send("DELETE", SETTINGS));
			if (state === "nothing set") return;
			const settings = { provider: "bedrock", base_url: amazon.baseUrl, model: NOVA };
			const api_key = toCredential(KEYS.workspace);
			await getBody(setup.send("PUT", SETTINGS, { json: { ...settings, api_key } }));
		});

		it.each(ALL_REQUESTS)("answer with no other models than are allowed: %s", async (_, ask) => {
			const before = countCalls();
			for (const choice of [
				{ ...provider, model: "host-third" },
				{ provider: "openai-compatible", model: "host-third" },
				{ provider: "openai-compatible", model: "HOST-SECOND" },
			]) {
				expectRefused(await ask(setup, choice), "model_not_allowed");
			}
			expect(countCalls()).toBe(before);
		});

		it.each(WHOLE_REQUESTS)("answer with one that is: %s", async (_, ask) => {
			expectPaid(await ask(setup, { ...provider, model: "host-second" }), "deployment", "host-second");
			expect(host.requests.at(-1)?.body?.model).toBe("host-second");
		});
	});
});

describe("several knowledge bases", () => {
	it.each(["bedrock", "openai-compatible"])("have no say, even where one names %s", async (provider) => {
		const setup = await setUp({ providers: { main: onHost(), aws: explicit() }, chat: "main" });
		await setBase(setup, { provider, model: "nobody-has-it" });
		const knowledge_base_ids = setup.bases;
		const send = (path: string, json: object) => setup.send("POST", path, { json });
		const stemma = { knowledge_base_ids };
		for (const answer of [
			await send("/v1/ask", { question, knowledge_base_ids }),
			await send("/v1/chat/completions", { model: "default", messages, stemma }),
			await run(setup, {}, knowledge_base_ids),
		])
			expectPaid(answer, "deployment", "host-model");
		const twice = [setup.bases[0], setup.bases[0]];
		const refused = await send("/v1/ask", { question, knowledge_base_ids: twice });
		expectRefused(refused, provider === "bedrock" ? "credential_required" : "model_not_allowed");
		await setup.deployment.close();
	});
});

describe("a workspace's own key", () => {
	it.each(WHOLE_REQUESTS)("stays with its endpoint where another model is named: %s", async (_, ask) => {
		const setup = await setUp({ providers: { main: onHost(), aws: explicit() }, chat: "main" });
		await getBody(setup.send("PUT", SETTINGS, { json: { ...ownSettings(), api_key: WORKSPACE_KEY } }));
		const calls = host.requests.length;
		for (const choice of [{ model: "third" }, { provider: "openai-compatible", model: "third" }]) {
			expectPaid(await ask(setup, choice), "workspace", "third");
		}
		const { body, headers } = own.requests.at(-1) ?? {};
		expect([body?.model, headers?.authorization]).toEqual(["third", `Bearer ${WORKSPACE_KEY}`]);
		expect(host.requests.length).toBe(calls);
		await setup.deployment.close();
	});
});

describe("a key that cannot be opened", () => {
	const encryption = (byte: number) => ({
		keys: [{ id: "one", key: { value: Buffer.alloc(32, byte).toString("base64") } }],
	});
	const content = (byte: number): ConfigurationInput => ({
		encryption: encryption(byte),
		outbound: { allow: ["127.0.0.1"] },
		providers: { main: onHost(), aws: explicit() },
		chat: "main",
	});
	let setup: Setup;
	let service: built.Service;
	let send: SendRequest;
	let calls: number;
	beforeAll(async () => {
		setup = await setUp(content(1));
		await getBody(setup.send("PUT", SETTINGS, { json: { ...ownSettings(), api_key: WORKSPACE_KEY } }));
		const secret = { server_url: "http://127.0.0.1:9/mcp", value: "of a tool" };
		await getBody(setup.send("PUT", "/v1/workspace/secrets/tool", { json: secret }));
		await setup.deployment.service.close(0);
		service = await built.createService(toTestConfiguration(built, setup.deployment.folder, content(2)));
		const token = await fetchToken(sendTo(service.fetch), setup.workspace.credentials);
		send = sendTo(service.fetch, token);
		setup = { ...setup, send };
		calls = countCalls();
	});
	afterAll(async () => {
		await service?.close(0);
		await setup?.deployment.close();
	});

	it("is shown as one, and nothing of it", async () => {
		const read = await send("GET", SETTINGS);
		expect(read.body).toMatchObject({ ...ownSettings(), has_api_key: true, status: "undecryptable" });
		const secrets = await send("GET", "/v1/workspace/secrets");
		expect(secrets.body).toMatchObject({ data: [{ name: "tool", status: "undecryptable" }] });
		const stages = await send("GET", `${SETTINGS}/stages`);
		expect(stages.body).toMatchObject({ stages: [], refusal: { code: "credential_undecryptable" } });
		expect(read.text + secrets.text + stages.text).not.toContain("sealed1");
	});

	it.each(ALL_REQUESTS)("answers nothing, and nobody else pays in its place: %s", async (_, ask) => {
		for (const choice of [{}, { model: "host-second" }, { provider: "openai-compatible" }]) {
			expectRefused(await ask(setup, choice), "credential_undecryptable");
		}
		expect(countCalls()).toBe(calls);
	});

	it("is neither tested nor kept", async () => {
		const json = ownSettings();
		expectApiError(await send("POST", `${SETTINGS}/test`), 422, "credential_undecryptable");
		expectApiError(await send("POST", `${SETTINGS}/test`, { json }), 422, "credential_undecryptable");
		expectApiError(await send("PUT", SETTINGS, { json }), 422, "credential_undecryptable");
		const elsewhere = { ...json, base_url: host.baseUrl };
		const moved = await send("PUT", SETTINGS, { json: elsewhere });
		expectApiError(moved, 422, "api_key_required");
		expect(readApiError(moved).param).toBe("api_key");
		const listed = await send("GET", "/v1/models");
		const { data } = listed.body as {
			readonly data: readonly { readonly stemma: { readonly kind: string } }[];
		};
		expect([listed.status, data.filter(({ stemma }) => stemma.kind === "model")]).toEqual([200, []]);
		expect(countCalls()).toBe(calls);
	});

	it("leaves what costs nothing, and works once it is set again", async () => {
		await setBase(setup, {});
		const json = { question, knowledge_base_ids: [setup.bases[0]] };
		const free = await send("POST", "/v1/ask", { json: { ...json, model: { provider: "extractive" } } });
		expect(free.body).toMatchObject({ receipt: [{ payer: "none" }] });
		expect(countCalls()).toBe(calls);
		await getBody(send("PUT", SETTINGS, { json: { ...ownSettings(), api_key: WORKSPACE_KEY } }));
		expectPaid(await send("POST", "/v1/ask", { json }), "workspace", "own-model");
	});
});
