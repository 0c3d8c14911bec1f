import { ConfigurationError } from "@stemma/core/errors";
import { describe, expect, it } from "vitest";
import { Secret } from "../encryption/secret";
import type { WorkspaceCredential } from "./chat-models";
import type { ModelConfiguration } from "./deployment-models";
import { createModels as create } from "./models";

const failOnCall = (): never => {
	throw new Error("Nothing is called here.");
};
const createModels = (configuration: ModelConfiguration) =>
	create(configuration, { outbound: failOnCall, fetch: failOnCall });

const vendor = {
	provider: "openai-compatible",
	baseUrl: "https://models.example/v1",
	credential: new Secret("sk-secret"),
	defaultModel: "small",
	allowedModels: ["large"],
} as const;

const amazon = {
	provider: "bedrock",
	baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	credential: new Secret("bedrock-api-key-secret"),
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
			expect.objectContaining({ code: "model_choice_not_allowed", param: "model" }),
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
		const credential = new Secret(JSON.stringify({ ...keys, Expiration: "2020-01-01T00:00:00Z" }));
		const expired = createModels({ providers: { aws: { ...amazon, credential } }, chat: "aws" });
		expect(() => expired.resolve({})).toThrow(
			expect.objectContaining({ origin: "upstream", code: "expired_credential" }),
		);
	});

	it("is not paid for a workspace whose key cannot be opened", () => {
		const workspace: WorkspaceCredential = {
			workspaceId: "ws_1",
			settings: {
				provider: "bedrock",
				base_url: amazon.baseUrl,
				model: amazon.defaultModel,
				has_api_key: true,
				status: "undecryptable",
			},
			version: "1",
		};
		expect(() => models.resolve({ workspace })).toThrow(refused("credential_undecryptable"));
	});
});

describe("a workspace with a model of its own", () => {
	const asked: string[] = [];
	const answer = (way: string) => async (url: string) => {
		asked.push(`${way} ${url}`);
		throw new ConfigurationError("It goes no further.");
	};
	const models = create(
		{
			providers: { main: vendor },
			chat: "main",
			embeddings: { provider: "openai-compatible", baseUrl: vendor.baseUrl, model: "e" },
		},
		{ outbound: answer("gate"), fetch: answer("platform") },
	);
	const workspace: WorkspaceCredential = {
		workspaceId: "ws_1",
		settings: {
			provider: "openai-compatible",
			base_url: "https://own.example/v1",
			model: "own",
			has_api_key: true,
		},
		apiKey: new Secret("sk-own"),
		version: "1",
	};
	const call = { messages: [{ role: "user", content: "?" }] } as const;

	it("is called through the gate, and what the operator chose is not", async () => {
		await expect(models.resolve({ workspace }).model.generate(call)).rejects.toThrow();
		await expect(models.resolve({}).model.generate(call)).rejects.toThrow();
		const [row] = models.plan(["embed"], { workspace });
		if (row === undefined) throw new Error("There is a row for each stage.");
		await expect(models.embedding(row, workspace).embed(["?"])).rejects.toThrow();
		expect([...new Set(asked)]).toEqual([
			"gate https://own.example/v1/chat/completions",
			"platform https://models.example/v1/chat/completions",
			"platform https://models.example/v1/embeddings",
		]);
	});

	it("is one model as long as nothing of it changes, and another with another key", () => {
		const { model } = models.resolve({ workspace });
		expect(models.resolve({ workspace: { ...workspace } }).model).toBe(model);
		const changed = { ...workspace, apiKey: new Secret("sk-new"), version: "2" };
		expect(models.resolve({ workspace: changed }).model).not.toBe(model);
		const { version: _, ...unsaved } = workspace;
		expect(models.resolve({ workspace: unsaved }).model).not.toBe(
			models.resolve({ workspace: unsaved }).model,
		);
	});

	it("lists its own model, and who pays", () => {
		expect(models.list({ workspace }).map(({ id, model, payer }) => [id, model, payer])).toEqual([
			["default", "own", "workspace"],
			["own", "own", "workspace"],
		]);
	});
});
