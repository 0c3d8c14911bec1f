import { correctProfilePrefix } from "../bedrock/region/inference-profile";
import {
	BUILT_IN,
	type ChosenModel,
	chooseModel,
	findSoleKnowledgeBase,
	readKnowledgePreference,
	readPreference,
} from "./choose-model";
import { findEndpoint } from "./find-endpoint";
import { type Refused, type Resolution, type ResolvedModel, reject } from "./resolution";
import type { ResolutionInput } from "./settings";

/**
 * Decides which model answers, and who pays for it. The request's own preference counts most, then that of the one
 * knowledge base of the question (several knowledge bases: none), then the settings of the workspace, then the
 * deployment. The credential follows the provider. Pure: it reads nothing but its input, never throws, and calls
 * nobody.
 */
export function resolveModel(input: ResolutionInput): Resolution {
	const preference = readPreference(input.choice);
	if (input.isClientKey && (preference.provider || preference.model))
		return reject("model_choice_not_allowed", "A client key may not choose the model.");
	const chosen = chooseModel(input);
	const { provider } = chosen;
	const endpoint = findEndpoint(chosen, input);
	if ("refusal" in endpoint) return endpoint;
	const { payer, base_url, credential, allowed } = endpoint;
	const model = chosen.model || endpoint.model;
	if (!model)
		return reject("model_required", `No model is named, and the ${payer}'s "${provider}" has no default.`);
	if (allowed?.includes(model) === false) return rejectModel(model, provider, allowed);
	const region = provider === "bedrock" ? REGION.exec(base_url)?.[1] : undefined;
	const corrected = correctProfilePrefix(model, region);
	if (corrected !== undefined)
		return reject(
			"region_mismatch",
			`The model "${model}" is not for ${region}: there it is "${corrected}".`,
		);
	const reason = explain(chosen, { payer, credential }, input);
	return { resolved: { payer, provider, base_url, model, credential, reason } };
}

/** Pattern for the region in a base URL, which was checked when it was set. */
const REGION = /^https:\/\/[\w.-]*\bbedrock-runtime(?:-fips)?\.([\w-]+)\./;

const rejectModel = (model: string, provider: string, models: readonly string[]): Refused =>
	provider === BUILT_IN
		? reject("provider_not_configured", `No provider is configured that has a model "${model}".`)
		: {
				refusal: {
					code: "model_not_allowed",
					reason: `The deployment would pay, and does not allow the model "${model}".`,
					models,
				},
			};

/** Two halves: who chose, and who pays. */
function explain({ provider, by }: ChosenModel, payment: Payment, input: ResolutionInput): string {
	const choiceSource =
		CHOICE_SOURCES[by] ?? `The knowledge base "${findSoleKnowledgeBase(input)?.id}" chooses the model`;
	if (provider !== BUILT_IN)
		return `${choiceSource}, and ${explainPayer(payment)}.${hasIgnoredPreferences(input) ? PREFERENCES_IGNORED : ""}`;
	const subject = by === "deployment" ? "No model is configured" : choiceSource;
	return `${subject}: the built-in one quotes the documents and calls no vendor.`;
}

const CHOICE_SOURCES: { readonly [by: string]: string | undefined } = {
	request: "The request chooses the model",
	workspace: "The workspace has set the model",
	deployment: "The deployment's model answers where the workspace has set none",
};

const PREFERENCES_IGNORED = " With several knowledge bases, none of them decides.";

const hasIgnoredPreferences = (input: ResolutionInput): boolean =>
	findSoleKnowledgeBase(input) === undefined &&
	(input.knowledgeBases ?? []).map(readKnowledgePreference).some(({ provider, model }) => provider || model);

type Payment = Pick<ResolvedModel, "payer" | "credential">;

/** Goes on behind "and". */
export function explainPayer({ payer, credential }: Payment): string {
	if (credential.kind === "none") return `the ${payer}'s endpoint asks for no key`;
	return `the ${payer}${credential.kind === "machine" ? " pays, by the credentials of its machine" : "'s key pays"}`;
}
