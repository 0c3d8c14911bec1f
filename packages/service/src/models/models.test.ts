import type { WorkspaceModels } from "@stemma/routing";
import { describe, expect, it } from "vitest";
import { createModels } from "./models";

const vendor = {
	provider: "openai-compatible",
	baseUrl: "https://models.example/v1",
	apiKey: "sk-secret",
	defaultModel: "small",
	allowedModels: ["large"],
} as const;

const amazon = {
	provider: "bedrock",
	baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	apiKey: "bedrock-api-key-secret",
	defaultModel: "eu.amazon.nova-lite-v1:0",
	allowedModels: [],
} as const;

const refused = (code: string, hint = ""): object =>
	expect.objectContaining({ code, hint: expect.stringContaining(hint) });

describe("a deployment without a provider", () => {
	const models = createModels({ providers: {} });

	it("quotes, at nobody's cost", () => {
		expect(models.resolve({})).toMatchObject({ payer: "none", model: { provider: "extractive" } });
		expect(models.resolve({ choice: { model: "default" } }).payer).toBe("none");
		expect(models.list({}).map(({ id }) => id)).toEqual(["default"]);
	});

	it.each([
		["provider_not_configured", { model: "gpt-9" }],
		["credential_required", { provider: "bedrock" }],
	])("refuses with %s: %j", (code, choice) => {
		expect(() => models.resolve({ choice })).toThrow(refused(code));
	});

	it("plans no call for words alone", () => {
		expect(models.plan(["embed", "index"], {})).toMatchObject([
			{ stage: "embed", payer: "none" },
			{ stage: "index", payer: "none" },
		]);
	});
});

describe("a deployment with a provider", () => {
	const models = createModels({ providers: { main: vendor }, chat: "main" });

	it("answers with its default model, and pays", () => {
		const { payer, model } = models.resolve({});
		expect(payer).toBe("deployment");
		expect(model).toMatchObject({ model: "small", vendorHost: "models.example" });
		const choice = { provider: "openai-compatible", model: "large" };
		expect(models.resolve({ choice }).model.model).toBe("large");
	});

	it("lets nobody choose a model that it does not allow", () => {
		const choice = { model: "huge" };
		expect(() => models.resolve({ choice })).toThrow(refused("model_not_allowed", "small, large"));
		expect(() => models.plan(["answer"], { choice })).toThrow(refused("model_not_allowed", "small, large"));
	});

	it("lets no client key choose", () => {
		const request = { choice: { model: "large" }, isClientKey: true };
		expect(() => models.resolve(request)).toThrow(
			expect.objectContaining({ status: 403, code: "model_choice_not_allowed", param: "model" }),
		);
		expect(models.resolve({ ...request, choice: { model: "default" } }).model.model).toBe("small");
	});

	it("lists what can be chosen, without the key", () => {
		expect(models.list({}).map(({ id, model }) => [id, model])).toEqual([
			["default", "small"],
			["small", "small"],
			["large", "large"],
		]);
		expect(JSON.stringify(models.list({}))).not.toContain("sk-secret");
	});
});

describe("Bedrock", () => {
	const models = createModels({ providers: { aws: amazon, main: vendor }, chat: "aws" });

	it("answers where the deployment has configured it", () => {
		expect(models.resolve({})).toMatchObject({
			payer: "deployment",
			model: { provider: "bedrock", vendorHost: "bedrock-runtime.eu-central-1.amazonaws.com" },
		});
	});

	it("is not for those who choose it, and another provider is", () => {
		expect(() => models.resolve({ choice: { provider: "bedrock" } })).toThrow(refused("credential_required"));
		expect(models.resolve({ choice: { provider: "openai-compatible" } }).model.model).toBe("small");
	});

	it("is one model for every question, which remembers what it has learnt", () => {
		expect(models.resolve({}).model).toBe(models.resolve({}).model);
	});

	it("tells of a credential that has run out since the start", () => {
		const keys = { AccessKeyId: "AKIAEXAMPLE", SecretAccessKey: "s3cret", SessionToken: "t" };
		const apiKey = JSON.stringify({ ...keys, Expiration: "2020-01-01T00:00:00Z" });
		const expired = createModels({ providers: { aws: { ...amazon, apiKey } }, chat: "aws" });
		expect(() => expired.resolve({})).toThrow(
			expect.objectContaining({ status: 502, code: "expired_credential" }),
		);
	});

	it("is not paid for a workspace whose key cannot be opened", () => {
		const workspace: WorkspaceModels = {
			provider: "bedrock",
			base_url: amazon.baseUrl,
			model: amazon.defaultModel,
			has_api_key: true,
			status: "undecryptable",
		};
		expect(() => models.resolve({ workspace })).toThrow(refused("credential_undecryptable"));
	});
});
