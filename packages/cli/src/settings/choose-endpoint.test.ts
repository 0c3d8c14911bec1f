import type { LlmProvider } from "@stemma/client";
import { describe, expect, it } from "vitest";
import { chooseEndpoint, completeEndpoint } from "./choose-endpoint";

const vendor = (id: string, base_url: string, models: readonly string[]): LlmProvider => ({
	id,
	name: id.toUpperCase(),
	provider: id === "bedrock" ? "bedrock" : "openai-compatible",
	base_url,
	models,
	needs_api_key: true,
	api_key_hint: "Ask them.",
});
const CATALOGUE = [
	vendor("groq", "https://groq.example/v1", ["llama", "gemma"]),
	vendor("azure", "https://azure.example/v1", ["<deployment>"]),
	vendor("bedrock", "https://bedrock-runtime.<region>.amazonaws.com", []),
];
const NO_KEY = { apiKeyStdin: false };
const STORED = { provider: "openai-compatible", base_url: "https://a.example/v1", model: "small" };

describe("chooseEndpoint", () => {
	it.each([
		["nothing", {}, {}],
		[
			"what is named",
			{ model: "m", baseUrl: "https://b.example" },
			{ model: "m", base_url: "https://b.example" },
		],
		[
			"a vendor",
			{ vendor: "groq", model: "m" },
			{ provider: "openai-compatible", base_url: "https://groq.example/v1", model: "m" },
		],
		[
			"a vendor at an address of one's own",
			{ vendor: "bedrock", model: "m", baseUrl: "https://bedrock-runtime.eu-west-1.amazonaws.com" },
			{ provider: "bedrock", base_url: "https://bedrock-runtime.eu-west-1.amazonaws.com", model: "m" },
		],
	])("takes %s", (_, options, endpoint) => {
		expect(chooseEndpoint({ ...NO_KEY, ...options }, CATALOGUE)).toEqual(endpoint);
	});

	it.each([
		[
			"an unknown vendor",
			{ vendor: "grok" },
			/no vendor "grok"\. Did you mean "groq"\?/,
			/There are groq, azure, bedrock\./,
		],
		[
			"a vendor whose models nobody else knows",
			{ vendor: "azure" },
			/model is missing/,
			/as the vendor does/,
		],
		["a vendor without a model", { vendor: "groq" }, /model is missing/, /--model llama$/],
		["an address with a gap", { vendor: "bedrock", model: "m" }, /BEDROCK .*<region>/, /--base-url/],
	])("refuses %s", (_, options, message, hint) => {
		expect(() => chooseEndpoint({ ...NO_KEY, ...options }, CATALOGUE)).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(message),
				hint: expect.stringMatching(hint),
			}),
		);
	});
});

describe("completeEndpoint", () => {
	it.each([
		["as it is stored", {}, STORED],
		["with another model", { model: "large" }, { ...STORED, model: "large" }],
		["at another address", { base_url: "https://b.example" }, { ...STORED, base_url: "https://b.example" }],
	])("leaves the rest %s", (_, chosen, endpoint) => {
		expect(completeEndpoint(chosen, STORED)).toEqual(endpoint);
	});

	it("takes no model over to another provider", () => {
		const chosen = { provider: "bedrock", base_url: "https://bedrock-runtime.eu-west-1.amazonaws.com" };
		expect(() => completeEndpoint(chosen, STORED)).toThrow("This is missing: --model.");
		expect(completeEndpoint({ ...chosen, model: "m" }, STORED)).toEqual({ ...chosen, model: "m" });
	});

	it("says what is missing where nothing is stored", () => {
		expect(() => completeEndpoint({ model: "m" }, undefined)).toThrow(
			"Nothing is set yet, and this is missing: --provider, --base-url.",
		);
	});
});
