import type { KnowledgeBaseModels, ResolutionInput } from "./settings";

/** Name of the built-in model and of its provider. */
export const BUILT_IN = "extractive";

/** Model that all preferences together ask for; whether it may be used is decided later. */
export interface ChosenModel {
	readonly provider: string;
	/** Undefined: the default of whatever is found for the provider. */
	readonly model: string | undefined;
	/** Level that decided: the request, the knowledge base, the workspace or the deployment. */
	readonly by: ChosenBy;
	/** The provider was named on purpose, and not left as it was. */
	readonly isProviderNamed: boolean;
}

export type ChosenBy = "request" | "knowledge base" | "workspace" | "deployment";

/** The settings of the workspace, else of the deployment; over it the knowledge base, over it the request. */
export function chooseModel(input: ResolutionInput): ChosenModel {
	const base = applyPreference(
		toBase(input),
		readKnowledgePreference(findSoleKnowledgeBase(input)),
		"knowledge base",
	);
	return applyPreference(base, readPreference(input.choice), "request");
}

/** The model `"default"` is none, and neither is an empty name. */
export const readPreference = ({ provider, model }: Partial<Preference> = {}): Preference => ({
	provider: provider || undefined,
	model: model === "default" || !model ? undefined : model,
});

export const readKnowledgePreference = ({
	llm_provider,
	llm_model,
}: Partial<KnowledgeBaseModels> = {}): Preference =>
	readPreference({ provider: llm_provider, model: llm_model });

interface Preference {
	readonly provider: string | null | undefined;
	readonly model: string | null | undefined;
}

/** Returns the only knowledge base, which decides; undefined where there are several, because then none decides. */
export function findSoleKnowledgeBase({
	knowledgeBases = [],
}: ResolutionInput): KnowledgeBaseModels | undefined {
	const [first] = knowledgeBases;
	return knowledgeBases.every(({ id }) => id === first?.id) ? first : undefined;
}

function toBase({ workspace, deployment }: ResolutionInput): ChosenModel {
	const model = undefined;
	if (workspace) return { provider: workspace.provider, model, by: "workspace", isProviderNamed: true };
	const { chat, providers } = deployment;
	// A name that is missing is a provider that nobody has, and not the built-in one.
	const provider = chat === undefined ? BUILT_IN : (providers[chat]?.provider ?? chat);
	return { provider, model, by: "deployment", isProviderNamed: false };
}

/**
 * A model is one of its provider: whoever changes the provider leaves the model behind. So does whoever names the
 * built-in one, which has no other model.
 */
function applyPreference(base: ChosenModel, { provider, model }: Preference, by: ChosenBy): ChosenModel {
	if (!provider && !model) return base;
	const isSameProvider = !provider || (provider === base.provider && provider !== BUILT_IN);
	return {
		provider: provider || base.provider,
		model: model || (isSameProvider ? base.model : undefined),
		by,
		isProviderNamed: Boolean(provider) || base.isProviderNamed,
	};
}
