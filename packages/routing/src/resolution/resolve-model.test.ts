import { describe, expect, test } from "vitest";
import { toRefusalHint } from "./refusal-hint";
import { resolveModel } from "./resolve-model";
import type { DeploymentModels, WorkspaceModels } from "./settings";

const deployment: DeploymentModels = {
	providers: {
		main: {
			provider: "openai-compatible",
			base_url: "https://api.openai.com/v1",
			credential: "explicit",
			default_model: "gpt-5-mini",
			allowed_models: ["gpt-5"],
		},
	},
	chat: "main",
};

const workspace: WorkspaceModels = {
	provider: "bedrock",
	base_url: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	model: "eu.anthropic.claude-sonnet-4-v1:0",
	has_api_key: true,
};

test("without settings the operator's model answers, and the deployment pays", () => {
	expect(resolveModel({ deployment })).toEqual({
		resolved: {
			payer: "deployment",
			provider: "openai-compatible",
			base_url: "https://api.openai.com/v1",
			model: "gpt-5-mini",
			credential: { kind: "deployment", name: "main" },
			reason:
				"The deployment's model answers where the workspace has set none, and the deployment's key pays.",
		},
	});
});

test("with a key of its own the workspace pays, at its own endpoint", () => {
	expect(resolveModel({ workspace, deployment })).toEqual({
		resolved: {
			payer: "workspace",
			provider: "bedrock",
			base_url: "https://bedrock-runtime.eu-central-1.amazonaws.com",
			model: "eu.anthropic.claude-sonnet-4-v1:0",
			credential: { kind: "workspace" },
			reason: "The workspace has set the model, and the workspace's key pays.",
		},
	});
});

test("a model belongs to its provider: back at the workspace's provider, the workspace's model answers", () => {
	const knowledgeBases = [{ id: "handbook", llm_provider: "openai-compatible", llm_model: "gpt-5" }];
	expect(resolveModel({ workspace, deployment, knowledgeBases })).toMatchObject({
		resolved: { payer: "deployment", model: "gpt-5" },
	});
	expect(
		resolveModel({ workspace, deployment, knowledgeBases, choice: { provider: "bedrock" } }),
	).toMatchObject({ resolved: { payer: "workspace", model: "eu.anthropic.claude-sonnet-4-v1:0" } });
});

test("what the operator does not allow is refused, with what may be chosen", () => {
	const resolution = resolveModel({ deployment, choice: { model: "gpt-5-pro" } });
	expect(resolution).toEqual({
		refusal: {
			code: "model_not_allowed",
			reason: 'The deployment would pay, and does not allow the model "gpt-5-pro".',
			models: ["gpt-5-mini", "gpt-5"],
		},
	});
	expect("refusal" in resolution && toRefusalHint(resolution.refusal)).toBe(
		"Choose one of gpt-5-mini, gpt-5, leave it out, or set a key of the workspace's own.",
	);
});

test.each([
	["eu-central-1", "us.", "eu."],
	["us-west-2", "apac.", "us."],
	["ap-southeast-2", "eu.", "apac."],
])("in %s a model with %s is refused, and the id with %s spelt out", (region, wrong, right) => {
	const base_url = `https://bedrock-runtime.${region}.amazonaws.com`;
	const model = "amazon.nova-pro-v1:0";
	expect(resolveModel({ workspace: { ...workspace, base_url, model: wrong + model }, deployment })).toEqual({
		refusal: {
			code: "region_mismatch",
			reason: `The model "${wrong}${model}" is not for ${region}: there it is "${right}${model}".`,
		},
	});
});

test.each([
	["https://bedrock-runtime.ca-central-1.amazonaws.com", "us."],
	["https://bedrock-runtime.us-gov-west-1.amazonaws.com", "eu."],
	["https://gateway.internal", "eu."],
	["https://bedrock-runtime.us-east-1.amazonaws.com", "global."],
	["https://bedrock-runtime.us-east-1.amazonaws.com", "jp."],
	["https://bedrock-runtime.us-east-1.amazonaws.com", ""],
])("at %s a model with the prefix %j is not judged", (base_url, prefix) => {
	const model = `${prefix}amazon.nova-pro-v1:0`;
	expect(resolveModel({ workspace: { ...workspace, base_url, model }, deployment })).toMatchObject({
		resolved: { model },
	});
});

test("a model of another format is not judged by its region, also at Amazon", () => {
	const base_url = "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1";
	const settings = { ...workspace, provider: "openai-compatible", base_url, model: "eu.gpt-oss" };
	expect(resolveModel({ workspace: settings, deployment })).toMatchObject({
		resolved: { model: "eu.gpt-oss" },
	});
});

describe("the reason", () => {
	const openAi = { ...workspace, provider: "openai-compatible", base_url: "https://a.example/v1" };
	const machine: DeploymentModels = {
		providers: {
			aws: { ...workspace, credential: "ambient", default_model: "amazon.nova-pro-v1:0" },
		},
		chat: "aws",
		aws: { allowAmbientCredentials: true },
	};
	const kb = { id: "handbook", llm_model: "gpt-5" };
	const none: DeploymentModels = { providers: {} };

	test.each([
		[
			{ deployment, choice: { model: "gpt-5" } },
			"The request chooses the model, and the deployment's key pays.",
		],
		[
			{ deployment, knowledgeBases: [kb] },
			'The knowledge base "handbook" chooses the model, and the deployment\'s key pays.',
		],
		[
			{ workspace: openAi, deployment, knowledgeBases: [kb, { id: "prices" }] },
			"The workspace has set the model, and the workspace's key pays. With several knowledge bases, none of them decides.",
		],
		[
			{ workspace: openAi, deployment, knowledgeBases: [{ ...kb, llm_model: "default" }, { id: "prices" }] },
			"The workspace has set the model, and the workspace's key pays.",
		],
		[
			{ workspace: { ...openAi, has_api_key: false }, deployment },
			"The workspace has set the model, and the workspace's endpoint asks for no key.",
		],
		[
			{ deployment: machine },
			"The deployment's model answers where the workspace has set none, and the deployment pays, by the credentials of its machine.",
		],
		[
			{ deployment: none },
			"No model is configured: the built-in one quotes the documents and calls no vendor.",
		],
		[
			{ workspace: openAi, deployment, choice: { provider: "extractive" } },
			"The request chooses the model: the built-in one quotes the documents and calls no vendor.",
		],
	])("%#: %j", (input, reason) => {
		expect(resolveModel(input)).toMatchObject({ resolved: { reason } });
	});
});

test("a `chat` that names no provider is refused, and not answered by quotes", () => {
	const resolve = (chat: string) => resolveModel({ deployment: { ...deployment, chat } });
	expect(resolve("mian")).toMatchObject({ refusal: { code: "provider_not_configured" } });
	expect(resolve("openai-compatible")).toMatchObject({ refusal: { code: "provider_not_configured" } });
});

test("a provider without a key is fine for open servers alone", () => {
	const workspace = { base_url: "https://a.example", model: "m", has_api_key: false };
	const resolve = (provider: string) =>
		resolveModel({ workspace: { ...workspace, provider }, deployment: { providers: {} } });
	expect(resolve("openai-compatible")).toMatchObject({ resolved: { payer: "workspace" } });
	expect(resolve("anthropic")).toMatchObject({ refusal: { code: "credential_required" } });
});
