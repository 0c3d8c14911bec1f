import type { Refusal, RefusalCode } from "./resolution";

/**
 * Returns what to do about a refusal, as a sentence. It is separate from the refusal, so that a page that needs no
 * hints stays small.
 */
export function toRefusalHint({ code, models = [] }: Refusal): string {
	if (code !== "model_not_allowed") return HINTS[code];
	const others = models.length === 0 ? "Ask the operator to allow it" : `Choose one of ${models.join(", ")}`;
	return `${others}, leave it out, or set a key of the workspace's own.`;
}

const HINTS: { readonly [Code in Exclude<RefusalCode, "model_not_allowed">]: string } = {
	model_choice_not_allowed: 'Leave the model out, or use "default".',
	credential_required:
		"Set the workspace's provider to bedrock, with an `api_key`, or choose another provider.",
	credential_undecryptable:
		"Set the workspace's `api_key` again, or ask the operator for the key that it was encrypted with.",
	provider_not_configured:
		"Leave provider and model out, set them for the workspace, or ask the operator to configure one: `providers.<name>` with a `credential`, or with `aws.allowAmbientCredentials`.",
	model_required: "Name the model as well as the provider.",
	region_mismatch: "Change the model, or `base_url` to the endpoint of the model's region.",
};
