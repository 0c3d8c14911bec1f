import { readFile } from "node:fs/promises";
import { checkModelRegion, parseBedrockEndpoint } from "@stemma/routing/bedrock";
import { createOpenAiCompatibleModel, parseOpenAiBaseUrl } from "@stemma/routing/openai-compatible";
import { describe, expect, it } from "vitest";
import { SETTABLE_PROVIDERS } from "./check-model";
import { checkKey, checkSettings } from "./check-settings";
import { LLM_PROVIDERS } from "./llm-providers";

const REGIONS = [
	"us-east-1",
	"eu-central-1",
	"ap-northeast-1",
	"ap-southeast-2",
	"ca-central-1",
	"sa-east-1",
];

/** An address as somebody sets it. */
const fillPlaceholders = (text: string, region = "eu-central-1"): string =>
	text.replace("<region>", region).replace(/<[a-z]+>/, "filled-in");

const filledUrl = LLM_PROVIDERS.map((vendor) => ({ ...vendor, base_url: fillPlaceholders(vendor.base_url) }));
const bedrock = LLM_PROVIDERS.filter(({ provider }) => provider === "bedrock");
const openAiCompatible = filledUrl.filter(({ provider }) => provider === "openai-compatible");

it("tells each vendor once", () => {
	const ids = LLM_PROVIDERS.map(({ id }) => id);
	expect(ids).toEqual([...new Set(ids)]);
	expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
	const addresses = LLM_PROVIDERS.map(({ base_url }) => base_url);
	expect(addresses).toEqual([...new Set(addresses)]);
	expect(new Set(LLM_PROVIDERS.map(({ provider }) => provider))).toEqual(new Set(SETTABLE_PROVIDERS));
});

it("is what docs/model-providers.md tells", async () => {
	const text = await readFile(new URL("../../../../docs/model-providers.md", import.meta.url), "utf8");
	const rows = text.matchAll(/^\| `([a-z-]+)` \| `([a-z-]+)` \| `(https?:[^`]+)` \|/gm);
	expect([...rows].map(([, ...cells]) => cells)).toEqual(
		LLM_PROVIDERS.map(({ id, provider, base_url }) => [id, provider, base_url]),
	);
});

describe.each(filledUrl)("$id", ({ provider, base_url, models, needs_api_key, is_local, ...vendor }) => {
	it("can be set as it is told", () => {
		expect(models).not.toEqual([]);
		expect(models).toEqual([...new Set(models)]);
		for (const model of models) {
			const settings = checkSettings({ provider, base_url, model });
			expect(settings).toEqual({ provider, base_url, model, warnings: [] });
			expect(() => checkKey(settings, needs_api_key ? "a-key" : undefined)).not.toThrow();
		}
	});

	it("sends keys by https, unless it runs next door", () => {
		const isPublic = /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+(\/[a-z0-9/]+)?$/.test(base_url);
		expect(isPublic).toBe(is_local !== true);
	});

	it("says in a sentence how to get a key, and where", () => {
		expect(vendor.api_key_hint).toMatch(/^[A-Z].*\.$/);
		expect(vendor.api_key_url ?? "https:").toMatch(/^https:/);
		expect(needs_api_key).toBe(vendor.api_key_url !== undefined);
	});
});

describe("openai-compatible", () => {
	it.each(openAiCompatible)("$id makes a model, at the address that it tells", ({ base_url, models }) => {
		expect(parseOpenAiBaseUrl(base_url).baseUrl).toBe(base_url);
		for (const model of models)
			expect(createOpenAiCompatibleModel({ baseUrl: base_url, model }).vendorHost).toBe(
				new URL(base_url).host,
			);
	});
});

describe("bedrock", () => {
	it.each(REGIONS)("has models that can be called in %s", (region) => {
		expect(bedrock).not.toEqual([]);
		for (const { base_url, models } of bedrock) {
			const address = fillPlaceholders(base_url, region);
			const endpoint = parseBedrockEndpoint(address);
			expect(endpoint).toEqual({ baseUrl: address, host: `bedrock-runtime.${region}.amazonaws.com`, region });
			for (const model of models) expect(checkModelRegion(model, region)).toEqual({});
		}
	});
});
