import { ConfigurationError } from "@stemma/core/errors";
import { renameOptions } from "@stemma/routing";
import { checkModelRegion, parseBedrockModelId } from "@stemma/routing/bedrock";
import * as z from "zod";
import { DomainError } from "../errors/domain-error";

/** The API formats that a workspace may set. */
export const SETTABLE_PROVIDERS = ["openai-compatible", "bedrock"] as const;

export type SettableProvider = (typeof SETTABLE_PROVIDERS)[number];

/** Schema of the name of a provider or model, wherever a workspace sends one. */
export const modelNameSchema = z.string().trim().min(1).max(256);

/**
 * Finds an API format by its name.
 *
 * @param param - the field that the name came in.
 * @throws DomainError 422 `provider_not_supported`
 */
export function checkProvider<Name extends string>(
	name: string,
	supported: readonly Name[],
	param: string,
): Name {
	const known = supported.find((one) => one === name);
	if (known === undefined) throw unknownProviderError(supported, param);
	return known;
}

const unknownProviderError = (supported: readonly string[], param: string): DomainError =>
	new DomainError("provider_not_supported", "There is no such API format.", {
		hint: `Set \`${param}\` to the format that the endpoint speaks: ${supported.join(" or ")}. Most vendors speak openai-compatible; GET /v1/llm-providers lists them.`,
		param,
	});

/**
 * Checks a model id of Bedrock, also against a region where that is known. Returns sentences about what is unusual.
 *
 * @param param - the field that the id came in.
 * @throws DomainError 422 `invalid_settings` or `region_mismatch`
 */
export function checkBedrockModel(
	model: string,
	region: string | undefined,
	param: string,
): readonly string[] {
	try {
		parseBedrockModelId(model);
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		throw invalidModelError(param, error);
	}
	const { mismatch, warning } = checkModelRegion(model, region);
	if (mismatch !== undefined) throw regionMismatchError(mismatch.reason, param);
	return warning === undefined ? [] : [warning];
}

const invalidModelError = (param: string, cause: ConfigurationError): DomainError =>
	new DomainError("invalid_settings", renameOptions(cause, { model: param }).message, {
		hint: "Write it as AWS does: us.amazon.nova-lite-v1:0, or the ARN of an inference profile.",
		param,
		cause,
	});

const regionMismatchError = (reason: string, param: string): DomainError =>
	new DomainError("region_mismatch", reason, {
		hint: "Change the model, or the workspace's `base_url` to the endpoint of the model's region.",
		param,
	});
