import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ConfigurationError } from "@stemma/core/errors";
import { describe, expect, it } from "vitest";
import { fromAiSdk } from "./from-ai-sdk";
import type { AiSdkModel } from "./wire";

const vendor = createOpenAICompatible({ name: "acme", baseURL: "https://api.acme.test:8443/v1?key=k" });
const plain = {
	specificationVersion: "v3",
	provider: "openai.chat",
	modelId: "gpt-x",
	doGenerate: () => Promise.reject(new Error("Not called.")),
	doStream: () => Promise.reject(new Error("Not called.")),
} as const satisfies AiSdkModel;
const hostOf = (config: unknown, provider = "openai.chat") =>
	fromAiSdk({ ...plain, provider, config } as AiSdkModel).vendorHost;

describe("the host", () => {
	it("is that of the model's own base URL", () => {
		expect(fromAiSdk(vendor("m")).vendorHost).toBe("api.acme.test:8443");
		expect(hostOf({ baseURL: "https://user:pw@api.acme.test/v1" })).toBe("api.acme.test");
		expect(hostOf({ baseUrl: () => "https://bedrock.test" })).toBe("bedrock.test");
		expect(hostOf({ url: ({ path }: { path: string }) => `http://localhost:1234${path}` })).toBe(
			"localhost:1234",
		);
	});

	it.each([
		[undefined],
		[null],
		[{ baseURL: "not a URL" }],
		[{ baseURL: "file:///etc" }],
		[{ baseUrl: () => Promise.reject(new Error("Not now.")) }],
		[
			{
				url() {
					throw new Error("No.");
				},
			},
		],
	])("is the vendor's name where the model does not tell: %j", (config) => {
		expect(hostOf(config)).toBe("openai");
	});

	it("is unknown where nothing is told", () => {
		expect(hostOf(undefined, "")).toBe("unknown");
	});

	it("can be given, and so can the provider", () => {
		const model = fromAiSdk(plain, { vendorHost: "gateway.acme.test:8443", provider: "acme-gateway" });
		expect([model.vendorHost, model.provider, model.model]).toEqual([
			"gateway.acme.test:8443",
			"acme-gateway",
			"gpt-x",
		]);
	});
});

function errorOf(model: unknown, options?: object): ConfigurationError {
	try {
		fromAiSdk(model as AiSdkModel, options);
	} catch (error) {
		if (ConfigurationError.is(error)) return error;
		throw error;
	}
	throw new Error("It was taken.");
}

describe("refuses", () => {
	it.each([
		["the id of a model", "openai/gpt-5", /not the id of one/, /provider/],
		["a provider that was not called", vendor, /not a provider/, /Call the provider/],
		["a provider that is an object", { languageModel: () => plain }, /not a provider/, /Call the provider/],
		["an embedding model", vendor.embeddingModel("e"), /not an embedding model/, /languageModel/],
		["an image model", vendor.imageModel("i"), /doStream/, /languageModel/],
		["a model of AI SDK 4", { ...plain, specificationVersion: "v1" }, /not v1/, /AI SDK 5/],
		["a model of a time to come", { ...plain, specificationVersion: "v5" }, /v2, v3 or v4/, /5, 6 or 7/],
		["nothing", undefined, /doStream/, /languageModel/],
	])("%s, saying what it is", (_, model, message, hint) => {
		const rejection = errorOf(model);
		expect(rejection.message).toMatch(/^`model` must be a language model of the AI SDK/);
		expect(rejection.message).toMatch(message);
		expect(rejection.hint).toMatch(hint);
		expect(`${rejection.message}${rejection.hint}`).not.toContain("gpt-5");
	});

	it.each(["", "https://x", "user@x", "x/y"])("a host that is none: %j", (vendorHost) => {
		expect(errorOf(plain, { vendorHost }).message).toContain("`vendorHost`");
	});

	it.each(["", "OpenAI", "openai.chat", "-a"])("a provider by another name: %j", (provider) => {
		expect(errorOf(plain, { provider }).message).toContain("`provider`");
	});
});
