import { describe, expect, it } from "vitest";
import { createModelResolver } from "./model-resolver";

const vendor = {
	provider: "openai-compatible",
	baseUrl: "https://models.example/v1",
	apiKey: "sk-secret",
	defaultModel: "small",
	allowedModels: ["large"],
} as const;

describe("a deployment without a provider", () => {
	const models = createModelResolver({ providers: {} });

	it("quotes, at nobody's cost", () => {
		expect(models.resolve()).toMatchObject({ payer: "none", model: { provider: "extractive" } });
		expect(models.resolve({ model: "default" }).payer).toBe("none");
		expect(models.list().map(({ id }) => id)).toEqual(["default"]);
	});

	it.each([{ model: "gpt-9" }, { provider: "bedrock" }])("refuses %j", (choice) => {
		expect(() => models.resolve(choice)).toThrow(
			expect.objectContaining({ code: "provider_not_configured" }),
		);
	});
});

describe("a deployment with a provider", () => {
	const models = createModelResolver({ providers: { main: vendor }, chat: "main" });

	it("answers with its default model, and pays", () => {
		const { payer, model } = models.resolve();
		expect(payer).toBe("deployment");
		expect(model).toMatchObject({ model: "small", vendorHost: "models.example" });
		expect(models.resolve({ provider: "openai-compatible", model: "large" }).model.model).toBe("large");
	});

	it("lets nobody choose a model that it does not allow", () => {
		expect(() => models.resolve({ model: "huge" })).toThrow(
			expect.objectContaining({ code: "model_not_allowed", hint: expect.stringContaining("small, large") }),
		);
	});

	it("lists what can be chosen, without the key", () => {
		expect(models.list().map(({ id, model }) => [id, model])).toEqual([
			["default", "small"],
			["small", "small"],
			["large", "large"],
		]);
		expect(JSON.stringify(models.list())).not.toContain("sk-secret");
	});
});
