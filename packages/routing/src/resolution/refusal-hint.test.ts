import { expect, test } from "vitest";
import { toRefusalHint } from "./refusal-hint";
import type { RefusalCode } from "./resolution";

const WORDS: { readonly [Code in RefusalCode]: RegExp } = {
	model_choice_not_allowed: /Leave the model out/,
	credential_required: /`api_key`/,
	credential_undecryptable: /`api_key` again/,
	provider_not_configured: /`providers.<name>` with a `credential`/,
	model_required: /Name the model/,
	model_not_allowed: /Choose one of gpt-5, gpt-5-mini/,
	region_mismatch: /`base_url`/,
};

test.each(Object.entries(WORDS))("%s: %s", (code, words) => {
	const hint = toRefusalHint({ code: code as RefusalCode, reason: "No.", models: ["gpt-5", "gpt-5-mini"] });
	expect(hint).toMatch(words);
});

test("where nothing may be chosen, nothing is offered", () => {
	expect(toRefusalHint({ code: "model_not_allowed", reason: "No.", models: [] })).toBe(
		"Ask the operator to allow it, leave it out, or set a key of the workspace's own.",
	);
});
