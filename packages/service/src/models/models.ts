import type { Payer } from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";
import { createExtractiveModel } from "@stemma/routing/extractive";
import { createOpenAiCompatibleModel } from "@stemma/routing/openai-compatible";
import { ApiError } from "../http/api-error";

/** A provider that the operator has configured. */
export interface DeploymentProvider {
	readonly provider: "openai-compatible";
	readonly baseUrl: string;
	/** Left out for servers that want none. */
	readonly apiKey?: string | undefined;
	readonly defaultModel: string;
	/** What a workspace may choose besides the default. */
	readonly allowedModels: readonly string[];
}

export interface DeploymentModels {
	readonly providers: { readonly [name: string]: DeploymentProvider };
	/** The provider that answers; none: the built-in model. */
	readonly chat?: string | undefined;
}

/** What a request or a node asks for. */
export interface WishedModel {
	readonly provider?: string | undefined;
	/** `"default"` is none. */
	readonly model?: string | undefined;
}

/** Decides which model answers, and who pays for it. */
export interface ModelResolver {
	/** @throws ApiError `provider_not_configured`, `model_not_allowed`. */
	resolve(choice?: WishedModel): ResolvedModel;
	/** What can be chosen; the default first. */
	list(): ListedModel[];
}

export interface ListedModel {
	/** `default`, or the model as its endpoint names it. */
	readonly id: string;
	readonly provider: string;
	readonly model: string;
	readonly vendorHost: string;
	readonly payer: Payer;
	readonly reason: string;
}

const BUILT_IN: ResolvedModel = {
	model: createExtractiveModel(),
	payer: "none",
	reason: "Built in: it quotes the documents and calls no vendor.",
};

export function createModelResolver({ providers, chat }: DeploymentModels): ModelResolver {
	const main = chat === undefined ? undefined : providers[chat];

	function resolve({ provider, model }: WishedModel = {}): ResolvedModel {
		const isDefault = model === undefined || model === "default";
		if (
			provider === undefined ||
			provider === main?.provider ||
			(main === undefined && provider === "extractive")
		)
			return main === undefined
				? resolveBuiltIn(isDefault ? undefined : model)
				: resolveIn(main, isDefault ? undefined : model);
		const other = Object.values(providers).find((candidate) => candidate.provider === provider);
		if (other === undefined) throw notConfigured(provider);
		return resolveIn(other, isDefault ? undefined : model);
	}

	return {
		resolve,
		list() {
			const names = main === undefined ? [] : [...new Set([main.defaultModel, ...main.allowedModels])];
			return ["default", ...names].map((id) => {
				const { model, payer, reason } = resolve({ model: id });
				return {
					id,
					provider: model.provider,
					model: model.model,
					vendorHost: model.vendorHost,
					payer,
					reason,
				};
			});
		},
	};
}

function resolveBuiltIn(model: string | undefined): ResolvedModel {
	if (model === undefined || model === BUILT_IN.model.model) return BUILT_IN;
	throw new ApiError(
		422,
		"provider_not_configured",
		`No provider is configured that has a model "${model}".`,
		{
			hint: "Configure one (providers and chat in stemma.config.json), or leave the model out: the built-in one quotes.",
		},
	);
}

function resolveIn(provider: DeploymentProvider, wished: string | undefined): ResolvedModel {
	const { baseUrl, apiKey, defaultModel, allowedModels } = provider;
	const name = wished ?? defaultModel;
	if (name !== defaultModel && !allowedModels.includes(name))
		throw new ApiError(
			422,
			"model_not_allowed",
			`The model "${name}" is not among those that the deployment allows.`,
			{
				hint: `Choose one of ${[...new Set([defaultModel, ...allowedModels])].join(", ")}, or leave it out.`,
			},
		);
	return {
		model: createOpenAiCompatibleModel({
			baseUrl,
			model: name,
			...(apiKey === undefined ? {} : { apiKey }),
		}),
		payer: "deployment",
		reason: "The deployment's own provider answers: the workspace has set none.",
	};
}

const notConfigured = (provider: string): ApiError =>
	new ApiError(422, "provider_not_configured", `No provider of the format "${provider}" is configured.`, {
		hint: "Leave the provider out, or ask the operator to configure one.",
	});
