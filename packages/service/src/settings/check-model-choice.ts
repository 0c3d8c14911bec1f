import type { KnowledgeBaseModels, WorkspaceModels } from "@stemma/routing";
import { parseBedrockEndpoint } from "@stemma/routing/bedrock";
import { checkBedrockModel, checkProvider, SETTABLE_PROVIDERS } from "./check-model";

/** Providers that a knowledge base may name; the built-in model is one of them. */
const PROVIDERS = [...SETTABLE_PROVIDERS, "extractive"] as const;

type ModelChoice = Pick<KnowledgeBaseModels, "llm_provider" | "llm_model">;

/**
 * Checks what a knowledge base chooses, as settings are checked. Whether it can be called now is not checked: that changes
 * with the settings, and a request may overrule it.
 *
 * @param stored - what the knowledge base has chosen so far.
 * @param workspace - the settings of the workspace, whose endpoint the model may be called at.
 * @throws DomainError 422 `provider_not_supported`, `invalid_settings` or `region_mismatch`, with the field.
 */
export function checkModelChoice(
	change: ModelChoice,
	{
		previous = {},
		workspace,
	}: { readonly previous?: ModelChoice; readonly workspace?: WorkspaceModels | undefined },
): void {
	const { llm_provider, llm_model } = { ...previous, ...change };
	if (change.llm_provider) checkProvider(change.llm_provider, PROVIDERS, "llm_provider");
	const provider = llm_provider ?? workspace?.provider;
	if (!llm_model || provider !== "bedrock") return;
	const region =
		workspace?.provider === "bedrock" ? parseBedrockEndpoint(workspace.base_url).region : undefined;
	checkBedrockModel(llm_model, region, "llm_model");
}
