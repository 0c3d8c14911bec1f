import { correctGeography } from "../bedrock/geography";
import {
	BUILT_IN,
	type ChosenModel,
	chooseModel,
	findDecidingKnowledgeBase,
	readKnowledgeWish,
	readWish,
} from "./choose-model";
import { findEndpoint } from "./find-endpoint";
import { type Refused, type Resolution, type ResolvedModel, refuse } from "./resolution";
import type { ResolutionInput } from "./settings";

/**
 * Decides which model answers, and who pays for it. The request's own wish counts most, then that of the one knowledge
 * base of the question (several knowledge bases: none), then the settings of the workspace, then the deployment. The
 * credential follows the provider. Pure: it reads nothing but its input, never throws, and calls nobody.
 */
export function resolveModel(input: ResolutionInput): Resolution {
	const wish = readWish(input.choice);
	if (input.isClientKey && (wish.provider || wish.model))
		return refuse("model_choice_not_allowed", "A client key may not choose the model.");
	const chosen = chooseModel(input);
	const { provider } = chosen;
	const endpoint = findEndpoint(chosen, input);
	if ("refusal" in endpoint) return endpoint;
	const { payer, base_url, credential, allowed } = endpoint;
	const model = chosen.model || endpoint.model;
	if (!model)
		return refuse("model_required", `No model is named, and the ${payer}'s "${provider}" has no default.`);
	if (allowed?.includes(model) === false) return refuseModel(model, provider, allowed);
	const region = provider === "bedrock" ? REGION.exec(base_url)?.[1] : undefined;
	const corrected = correctGeography(model, region);
	if (corrected !== undefined)
		return refuse(
			"region_mismatch",
			`The model "${model}" is not for ${region}: there it is "${corrected}".`,
		);
	const reason = explain(chosen, { payer, credential }, input);
	return { resolved: { payer, provider, base_url, model, credential, reason } };
}

/** Of a base URL that was checked when it was set. */
const REGION = /^https:\/\/[\w.-]*\bbedrock-runtime(?:-fips)?\.([\w-]+)\./;

const refuseModel = (model: string, provider: string, models: readonly string[]): Refused =>
	provider === BUILT_IN
		? refuse("provider_not_configured", `No provider is configured that has a model "${model}".`)
		: {
				refusal: {
					code: "model_not_allowed",
					reason: `The deployment would pay, and does not allow the model "${model}".`,
					models,
				},
			};

/** Two halves: who chose, and who pays. */
function explain({ provider, by }: ChosenModel, paying: Paying, input: ResolutionInput): string {
	const chooser =
		CHOOSERS[by] ?? `The knowledge base "${findDecidingKnowledgeBase(input)?.id}" chooses the model`;
	if (provider !== BUILT_IN)
		return `${chooser}, and ${explainPayer(paying)}.${hasUnheardWishes(input) ? UNHEARD : ""}`;
	const subject = by === "deployment" ? "No model is configured" : chooser;
	return `${subject}: the built-in one quotes the documents and calls no vendor.`;
}

const CHOOSERS: { readonly [by: string]: string | undefined } = {
	request: "The request chooses the model",
	workspace: "The workspace has set the model",
	deployment: "The deployment's model answers where the workspace has set none",
};

const UNHEARD = " Of several knowledge bases none decides.";

const hasUnheardWishes = (input: ResolutionInput): boolean =>
	findDecidingKnowledgeBase(input) === undefined &&
	(input.knowledgeBases ?? []).map(readKnowledgeWish).some(({ provider, model }) => provider || model);

type Paying = Pick<ResolvedModel, "payer" | "credential">;

/** Goes on behind "and". */
export function explainPayer({ payer, credential }: Paying): string {
	if (credential.of === "nobody") return `the ${payer}'s endpoint asks for no key`;
	return `the ${payer}${credential.of === "machine" ? " pays, by the credentials of its machine" : "'s key pays"}`;
}
