import type { Resolution, ResolvedModel } from "../resolution";
import { resolveModel } from "../resolve-model";
import type { KnowledgeBaseModels, ResolutionInput } from "../settings";
import { type ExpectedResolution, expectResolution } from "./expected-resolution";
import type { Invariants } from "./find-violations";

export interface ModelCase {
	readonly input: ResolutionInput;
	readonly resolution: Resolution;
}

export const toModelCase = (input: ResolutionInput): ModelCase => ({
	input,
	resolution: resolveModel(input),
});

/** What holds of every resolution, whatever is set. */
export const MODEL_INVARIANTS: Invariants<ModelCase> = {
	"it is what the table of rules says": ({ input, resolution }) =>
		isSame(toExpectation(resolution), expectResolution(input)),

	"a refusal has no model, and a model no refusal": ({ resolution }) =>
		"refusal" in resolution !== "resolved" in resolution,

	"every answer and every refusal has a sentence as reason": ({ resolution }) =>
		isSentence("refusal" in resolution ? resolution.refusal.reason : resolution.resolved.reason),

	"ambient credentials pay for no provider that was chosen": whereResolved(
		({ credential }, input) => credential.kind !== "machine" || (!input.workspace && !isProviderNamed(input)),
	),

	"ambient credentials pay for the configured model, and for those that the operator lists for that entry":
		whereResolved(({ credential, model }, { deployment }) => {
			if (credential.kind !== "machine") return true;
			const { default_model, allowed_models = [] } = deployment.providers[credential.name] ?? {};
			return model === default_model || allowed_models.includes(model);
		}),

	"ambient credentials sign nothing without the operator's leave": whereResolved(
		({ credential }, { deployment }) =>
			credential.kind !== "machine" || deployment.aws?.allowAmbientCredentials === true,
	),

	"the workspace pays for its own endpoint, and for no other": whereResolved(
		({ payer, base_url }, { workspace }) => payer !== "workspace" || base_url === workspace?.base_url,
	),

	"the deployment pays nothing of the format that the workspace has set": whereResolved(
		({ payer, provider }, { workspace }) => payer !== "deployment" || provider !== workspace?.provider,
	),

	"a key that cannot be opened is replaced by nobody's": whereResolved(
		({ provider }, { workspace }) => workspace?.status !== "undecryptable" || provider !== workspace.provider,
	),

	"a credential goes to no other endpoint than its own": whereResolved(
		({ credential, base_url, provider }, { workspace, deployment }) => {
			const owner =
				credential.kind === "workspace"
					? workspace
					: credential.kind === "none"
						? undefined
						: "name" in credential
							? deployment.providers[credential.name]
							: undefined;
			return owner ? owner.base_url === base_url && owner.provider === provider : credential.kind === "none";
		},
	),

	"on the deployment's money only models that it allows": whereResolved(
		({ payer, base_url, model }, input) => {
			const entries = Object.values(input.deployment.providers).filter(
				(entry) => entry.base_url === base_url,
			);
			const allowed = entries.flatMap(({ default_model, allowed_models = [] }) => [
				default_model,
				...allowed_models,
			]);
			return payer !== "deployment" || allowed.includes(model);
		},
	),

	"nobody pays for what is built in, and somebody for all else": whereResolved(
		({ payer, provider, base_url }) =>
			(payer === "none") === (provider === "extractive") && (payer === "none") === (base_url === ""),
	),

	"only an OpenAI-compatible endpoint goes without a credential": whereResolved(
		({ credential, provider }) => credential.kind !== "none" || provider !== "bedrock",
	),

	"several knowledge bases: the override changes nothing": ({ input, resolution }) =>
		!hasSeveral(input.knowledgeBases) ||
		isSame(toExpectation(resolution), resolveAs(input, { knowledgeBases: [] })),

	"a client key that chooses nothing is answered like anyone": ({ input, resolution }) =>
		!input.isClientKey ||
		isRefused(resolution, "model_choice_not_allowed") ||
		isSame(toExpectation(resolution), resolveAs(input, { choice: undefined, isClientKey: false })),

	"a client key that chooses is refused": ({ input, resolution }) =>
		!input.isClientKey ||
		!hasPreference(input.choice?.provider, input.choice?.model) ||
		isRefused(resolution, "model_choice_not_allowed"),

	"the built-in model may always be chosen": ({ input, resolution }) =>
		input.isClientKey === true ||
		input.choice?.provider !== "extractive" ||
		input.choice.model !== undefined ||
		("resolved" in resolution && resolution.resolved.payer === "none"),

	"a model that may not be chosen comes with those that may": ({ resolution }) =>
		"resolved" in resolution ||
		(resolution.refusal.code === "model_not_allowed") === (resolution.refusal.models !== undefined),

	"a model of the wrong region comes with the right one": ({ resolution }) =>
		!isRefused(resolution, "region_mismatch") ||
		/there it is "(us|eu|apac)\.anthropic/.test(reasonOf(resolution)),
};

function whereResolved(
	holds: (resolved: ResolvedModel, input: ResolutionInput) => boolean,
): (one: ModelCase) => boolean {
	return ({ input, resolution }) => "refusal" in resolution || holds(resolution.resolved, input);
}

function toExpectation(resolution: Resolution): ExpectedResolution {
	if ("refusal" in resolution) return { refused: resolution.refusal.code };
	const { payer, provider, base_url, model, credential } = resolution.resolved;
	return { payer: payer === "external" ? "none" : payer, provider, base_url, model, credential };
}

const resolveAs = (input: ResolutionInput, changes: Partial<ResolutionInput>): ExpectedResolution =>
	toExpectation(resolveModel({ ...input, ...changes }));

/** A million times quicker than an assertion. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const isSentence = (text: string): boolean => /^[A-Z][^\n]{10,}\.$/.test(text);

const isRefused = (resolution: Resolution, code: string): boolean =>
	"refusal" in resolution && resolution.refusal.code === code;

const reasonOf = (resolution: Resolution): string =>
	"refusal" in resolution ? resolution.refusal.reason : resolution.resolved.reason;

const hasPreference = (provider: string | null | undefined, model: string | null | undefined): boolean =>
	Boolean(provider) || (Boolean(model) && model !== "default");

const hasSeveral = (knowledgeBases: readonly KnowledgeBaseModels[] = []): boolean =>
	new Set(knowledgeBases.map(({ id }) => id)).size > 1;

const isProviderNamed = ({ choice, knowledgeBases = [] }: ResolutionInput): boolean =>
	Boolean(choice?.provider) ||
	(!hasSeveral(knowledgeBases) && knowledgeBases.some(({ llm_provider }) => Boolean(llm_provider)));
