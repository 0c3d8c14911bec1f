import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../http/test-support/test-service";

const BASES = "/v1/knowledge-bases";
const SETTINGS = "/v1/workspace/llm-settings";
const encryption = { keys: [{ id: "one", key: { value: Buffer.alloc(32, 7).toString("base64") } }] };

type Choice = Readonly<Record<"llm_provider" | "llm_model", string | null>>;

describe("the model of a knowledge base", () => {
	let service: TestService;
	let id: string;
	beforeAll(async () => {
		service = await startTestService({ encryption });
		id = (await service.send(BASES, { json: { name: "Handbook" } })).body.id;
	});
	afterAll(() => service.end());

	const create = (choice: Partial<Choice>) => service.send(BASES, { json: { name: "Other", ...choice } });
	const update = (choice: Partial<Choice>) =>
		service.send(`${BASES}/${id}`, { method: "PATCH", json: choice });
	const setBedrock = async (region: string) => {
		const base_url = `https://bedrock-runtime.${region}.amazonaws.com`;
		const json = { provider: "bedrock", base_url, model: "amazon.nova-lite-v1:0", api_key: "a-bedrock-key" };
		expect((await service.send(SETTINGS, { method: "PUT", json })).status).toBe(200);
	};

	it.each<[code: string, param: string, choice: Partial<Choice>]>([
		["provider_not_supported", "llm_provider", { llm_provider: "nonsense" }],
		["provider_not_supported", "llm_provider", { llm_provider: "Bedrock", llm_model: "m" }],
		["provider_not_supported", "llm_provider", { llm_provider: "cohere" }],
		["invalid_settings", "llm_model", { llm_provider: "bedrock", llm_model: "../nova" }],
		["invalid_settings", "llm_model", { llm_provider: "bedrock", llm_model: "nova lite" }],
	])("is refused with %s of %s, created and changed: %j", async (code, param, choice) => {
		const before = (await service.send(`${BASES}/${id}`)).body;
		for (const { status, body } of [await create(choice), await update(choice)]) {
			expect([status, body.error.code, body.error.param]).toEqual([422, code, param]);
			expect(body.error.hint).toMatch(/\w/);
		}
		expect((await service.send(`${BASES}/${id}`)).body).toEqual(before);
	});

	it.each<Partial<Choice>>([{ llm_provider: " " }, { llm_model: "  " }, { llm_model: "m".repeat(257) }])(
		"is refused as settings are where it is no name: %j",
		async (choice) => {
			for (const { status, body } of [await create(choice), await update(choice)])
				expect([status, body.error.code]).toEqual([400, "invalid_request"]);
		},
	);

	it.each<Partial<Choice>>([
		{ llm_provider: "extractive" },
		{ llm_provider: "bedrock" },
		{ llm_provider: "openai-compatible", llm_model: "a model that nobody has configured" },
		{ llm_provider: null, llm_model: "any/model:latest" },
		{ llm_provider: null, llm_model: null },
	])("may be one that nobody can call now: %j", async (choice) => {
		expect(await update(choice)).toMatchObject({ status: 200, body: choice });
		expect(await create(choice)).toMatchObject({ status: 201, body: choice });
	});

	it("fits the region of the workspace's endpoint", async () => {
		await setBedrock("us-east-1");
		await update({ llm_provider: null, llm_model: null });
		for (const choice of [
			{ llm_model: "eu.amazon.nova-lite-v1:0" },
			{ llm_provider: "bedrock", llm_model: "eu.amazon.nova-lite-v1:0" },
		])
			for (const { status, body } of [await create(choice), await update(choice)]) {
				expect([status, body.error.code, body.error.param]).toEqual([422, "region_mismatch", "llm_model"]);
				expect(body.error.message).toContain("`us.amazon.nova-lite-v1:0`");
			}
		expect((await update({ llm_model: "us.amazon.nova-lite-v1:0" })).status).toBe(200);
		// Another provider than the workspace's has other names.
		const other = { llm_provider: "openai-compatible", llm_model: "eu.amazon.nova-lite-v1:0" };
		expect((await update(other)).status).toBe(200);
	});

	it("is checked together with the half that is stored, and only where it changes", async () => {
		await setBedrock("us-east-1");
		await update({ llm_provider: "openai-compatible", llm_model: "eu.amazon.nova-lite-v1:0" });
		const refused = await update({ llm_provider: "bedrock" });
		expect([refused.status, refused.body.error.param]).toEqual([422, "llm_model"]);
		await update({ llm_provider: "bedrock", llm_model: "us.amazon.nova-lite-v1:0" });
		await setBedrock("eu-central-1");
		expect(
			(await service.send(`${BASES}/${id}`, { method: "PATCH", json: { name: "Renamed" } })).status,
		).toBe(200);
	});

	it("of a knowledge base that does not exist is 404, whatever it is", async () => {
		const json = { llm_provider: "nonsense" };
		expect((await service.send(`${BASES}/kb_missing`, { method: "PATCH", json })).status).toBe(404);
	});
});
