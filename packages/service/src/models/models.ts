import type { ChatModel, Payer, Stage } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import type { ResolvedModel } from "@stemma/engine";
import {
	type CredentialReference,
	planStages,
	type ResolutionInput,
	type ResolvedModel as Resolved,
	resolveModel,
	type StageRow,
} from "@stemma/routing";
import { ApiError } from "../http/api-error";
import { createChatModel } from "./create-chat-model";
import { type ModelConfiguration, toDeploymentModels } from "./deployment-models";
import { nameSettings } from "./name-settings";
import { toRefusalError } from "./refusal-error";

/** What is asked of models: all that decides but for the deployment, which is the same for everyone. */
export type ModelRequest = Omit<ResolutionInput, "deployment">;

/** Decides which model answers and who pays for it. Nothing else in the service does. */
export interface Models {
	/** @throws ApiError with the code of the refusal. */
	resolve(request: ModelRequest): ResolvedModel;
	/**
	 * Who would be called for some stages, and who would pay.
	 *
	 * @throws ApiError with the code of the refusal.
	 */
	plan(stages: readonly Stage[], request: ModelRequest): readonly StageRow[];
	/** What can be chosen; the default first. */
	list(request: ModelRequest): ListedModel[];
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

/** What was usable at the start may not be any more: temporary credentials run out. */
function makeModel(resolved: Resolved, apiKey: string | undefined): ChatModel {
	try {
		return createChatModel(resolved, apiKey);
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		const { code, message, hint = "" } = error;
		throw new ApiError(502, code, nameSettings(message), { hint: nameSettings(hint), cause: error });
	}
}

export function createModels(configuration: ModelConfiguration): Models {
	const deployment = toDeploymentModels(configuration);
	const { chat, providers } = configuration;

	const findKey = (credential: CredentialReference): string | undefined =>
		credential.of === "deployment" ? providers[credential.name]?.apiKey : undefined;

	/** What a model has learnt of its endpoint (fields it refuses, its clock) is there for the next call. */
	const made = new Map<string, ChatModel>();

	function getModel(resolved: Resolved): ChatModel {
		const { provider, base_url, model, credential } = resolved;
		const key = JSON.stringify([provider, base_url, model, credential]);
		const found = made.get(key) ?? makeModel(resolved, findKey(credential));
		made.set(key, found);
		return found;
	}

	function resolve(request: ModelRequest): ResolvedModel {
		const resolution = resolveModel({ ...request, deployment });
		if ("refusal" in resolution) throw toRefusalError(resolution.refusal, request.choice);
		const { payer, reason } = resolution.resolved;
		return { model: getModel(resolution.resolved), payer, reason };
	}

	return {
		resolve,
		plan(stages, request) {
			const plan = planStages({ ...request, deployment, stages });
			if ("refusal" in plan) throw toRefusalError(plan.refusal, request.choice);
			return plan.rows;
		},
		list(request) {
			const main = chat === undefined ? undefined : providers[chat];
			const names = main === undefined ? [] : [...new Set([main.defaultModel, ...main.allowedModels])];
			return ["default", ...names].map((id) => {
				const { model, payer, reason } = resolve({ ...request, choice: { model: id } });
				const { provider, vendorHost } = model;
				return { id, provider, model: model.model, vendorHost, payer, reason };
			});
		},
	};
}
