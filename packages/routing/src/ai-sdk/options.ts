import { rejectOption } from "../http/call-options";
import { asObject, asText } from "../http/lenient-json";
import type { Endpoint } from "../http/to-provider-error";
import { readVendorHost } from "./vendor-host";
import type { AiSdkModel } from "./wire";

/** Options for how a model of the AI SDK is named on receipts and in errors. */
export interface FromAiSdkOptions {
	/**
	 * Host of the endpoint, with its port where it is not the usual one. Default: that of the model's base URL, where
	 * the model lets one see it; else the vendor's name as the AI SDK has it (`openai`), which is no host: set it for
	 * models behind middleware (`wrapLanguageModel`).
	 */
	readonly vendorHost?: string | undefined;
	/** `ChatModel.provider`: lower-case letters and hyphens. Default `ai-sdk`. */
	readonly provider?: string | undefined;
}

/** The options, checked and complete. */
export interface Settings extends Endpoint {
	readonly provider: string;
	/** The model says itself that it does not hand on schemas. */
	readonly ignoresSchemas: boolean;
}

/** @throws ConfigurationError that says what the model is instead, or names the option. */
export function readOptions(model: AiSdkModel, options: FromAiSdkOptions): Settings {
	assertLanguageModel(model);
	const { provider = "ai-sdk", vendorHost = readVendorHost(model) } = options;
	if (!/^[a-z][a-z-]*$/.test(provider)) rejectOption("provider", "lower-case letters and hyphens");
	if (typeof vendorHost !== "string" || !/^[^\s/@?#]+$/.test(vendorHost))
		rejectOption("vendorHost", "only a host, such as `api.openai.com`");
	return {
		provider,
		vendorHost,
		model: model.modelId,
		hasKey: true,
		api: "models of the AI SDK",
		baseUrlHint: "Check the `baseURL` of the AI SDK provider, and that its package is up to date.",
		ignoresSchemas:
			(model as { readonly supportsStructuredOutputs?: unknown }).supportsStructuredOutputs === false,
	};
}

/** Image, speech and other models have a `doGenerate` too; only language models stream. */
function assertLanguageModel(model: unknown): void {
	if (typeof model === "string")
		rejectModel(
			"not the id of one",
			"Create it with a provider: `openai(id)` of `@ai-sdk/openai`, or `gateway(id)` of `ai`.",
		);
	const { specificationVersion: version, languageModel, doEmbed, doStream, doGenerate } = readMembers(model);
	if (typeof model === "function" || typeof languageModel === "function")
		rejectModel("not a provider", "Call the provider with the id of a model: `openai(id)`.");
	if (typeof doEmbed === "function")
		rejectModel("not an embedding model", "Create it with the provider's `languageModel(id)`.");
	if (version === "v1")
		rejectModel(
			"of the specification v2, v3 or v4, not v1",
			"Update the provider's package to one for AI SDK 5 or later.",
		);
	if (typeof doStream !== "function" || typeof doGenerate !== "function")
		rejectModel("with `doGenerate` and `doStream`", "Create it with a provider's `languageModel(id)`.");
	if (!/^v[234]$/.test(asText(version)))
		rejectModel("of the specification v2, v3 or v4", "Use a provider's package for AI SDK 5, 6 or 7.");
}

/** Functions have members too. */
const readMembers = (model: unknown) => asObject(typeof model === "function" ? { ...model } : model);

function rejectModel(what: string, hint: string): never {
	rejectOption("model", `a language model of the AI SDK, ${what}`, { hint });
}
