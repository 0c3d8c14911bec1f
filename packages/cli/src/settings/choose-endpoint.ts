import type { LlmProvider, LlmSettingsUpdate } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { closestName, omitUndefined } from "@stemma/core/internal";
import type { EndpointOptions } from "./endpoint-options";

/** An endpoint and a model, without a key. */
export type Endpoint = Pick<LlmSettingsUpdate, "provider" | "base_url" | "model">;

/**
 * Reads the endpoint that the options name.
 *
 * @param catalogue - where a vendor is looked up.
 * @throws ConfigurationError for a vendor that is not in the catalogue, or that needs more options.
 */
export function chooseEndpoint(
	{ provider, baseUrl, model, vendor }: EndpointOptions,
	catalogue: readonly LlmProvider[],
): Partial<Endpoint> {
	const named: Partial<Endpoint> = omitUndefined({ provider, base_url: baseUrl, model });
	if (vendor === undefined) return named;
	const found = findVendor(vendor, catalogue);
	return completeVendorEndpoint({ provider: found.provider, base_url: found.base_url, ...named }, found);
}

/** Pattern of a part that only the caller knows: `<region>`. */
const PLACEHOLDER = /<.+>/;

function completeVendorEndpoint(
	endpoint: Omit<Endpoint, "model"> & Partial<Endpoint>,
	vendor: LlmProvider,
): Endpoint {
	const { base_url, model } = endpoint;
	if (PLACEHOLDER.test(base_url))
		throw new ConfigurationError(`The address of ${vendor.name} has a placeholder: ${base_url}`, {
			hint: "Pass it with your own value: --base-url <address>",
		});
	if (model !== undefined) return { ...endpoint, model };
	const exampleModel = vendor.models.find((known) => !PLACEHOLDER.test(known));
	throw new ConfigurationError("The model is missing.", {
		hint:
			exampleModel === undefined
				? "Name it as the vendor does: --model <id>"
				: `For example: --model ${exampleModel}`,
	});
}

/**
 * Completes the endpoint to store: missing fields keep their stored values, unless a provider was chosen, which has
 * other models.
 *
 * @throws ConfigurationError that names what is missing.
 */
export function completeEndpoint(chosen: Partial<Endpoint>, stored: Partial<Endpoint> | undefined): Endpoint {
	const base = chosen.provider === undefined ? stored : undefined;
	const { provider = base?.provider, base_url = base?.base_url, model = base?.model } = chosen;
	if (provider !== undefined && base_url !== undefined && model !== undefined)
		return { provider, base_url, model };
	const missing = Object.entries({ "--provider": provider, "--base-url": base_url, "--model": model })
		.filter(([, value]) => value === undefined)
		.map(([option]) => option);
	throw new ConfigurationError(
		`${base === undefined && chosen.provider === undefined ? "Nothing is set yet, and this is missing" : "This is missing"}: ${missing.join(", ")}.`,
		{
			hint: 'Or take an endpoint from the catalogue, "stemma settings providers": --vendor <id> --model <id>',
		},
	);
}

/** The vendor of that id. @throws ConfigurationError when the catalogue has none, with what was probably meant. */
function findVendor(id: string, all: readonly LlmProvider[]): LlmProvider {
	const found = all.find((vendor) => vendor.id === id);
	if (found !== undefined) return found;
	const ids = all.map((vendor) => vendor.id);
	const suggestion = closestName(id, ids);
	throw new ConfigurationError(
		`The catalogue has no vendor "${id}".${suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`}`,
		{
			code: "vendor_not_found",
			hint: `There are ${ids.join(", ")}. Any other endpoint is named with --provider and --base-url.`,
		},
	);
}
