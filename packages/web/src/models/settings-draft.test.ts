import type { LlmProvider } from "@stemma/client";
import { expect, it } from "vitest";
import { fillIn, findVendor, NO_SETTINGS, toUpdate } from "./settings-draft";

const vendor = (id: string, provider: string, base_url: string): LlmProvider => ({
	...{ id, name: id, provider, base_url, models: [`${id}-1`] },
	needs_api_key: true,
	api_key_hint: "Ask for one.",
});
const open = vendor("open", "openai-compatible", "https://api.open.example/v1");
const aws = vendor("aws", "bedrock", "https://bedrock.<region>.aws.example");

it("leaves the stored key alone, sets another one, or removes it", () => {
	const draft = { ...NO_SETTINGS, base_url: " https://a.example ", model: " m " };
	const update = { provider: "openai-compatible", base_url: "https://a.example", model: "m" };
	expect(toUpdate(draft)).toEqual(update);
	expect(toUpdate({ ...draft, api_key: "sk-1" })).toEqual({ ...update, api_key: "sk-1" });
	expect(toUpdate({ ...draft, removesKey: true })).toEqual({ ...update, api_key: null });
});

it("knows a vendor by its address, also where a region is filled in", () => {
	const vendors = [open, aws];
	expect(findVendor(fillIn(NO_SETTINGS, open), vendors)).toBe(open);
	expect(findVendor(fillIn(NO_SETTINGS, aws), vendors)).toBe(aws);
	const filled = { ...fillIn(NO_SETTINGS, aws), base_url: "https://bedrock.eu-west-1.aws.example" };
	expect(findVendor(filled, vendors)).toBe(aws);
	expect(findVendor({ ...filled, provider: "openai-compatible" }, vendors)).toBeUndefined();
	expect(findVendor(NO_SETTINGS, vendors)).toBeUndefined();
	expect(findVendor({ ...NO_SETTINGS, base_url: "https://mine.example" }, vendors)).toBeUndefined();
});
