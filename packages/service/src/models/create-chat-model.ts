import type { ChatModel } from "@stemma/core";
import type { ResolvedModel } from "@stemma/routing";
import { createBedrockModel, parseBedrockCredential } from "@stemma/routing/bedrock";
import { createExtractiveModel } from "@stemma/routing/extractive";
import { createOpenAiCompatibleModel } from "@stemma/routing/openai-compatible";

const BUILT_IN = createExtractiveModel();

/** The model that was decided on, with the credential that was decided on. */
export function createChatModel(
	{ provider, base_url: baseUrl, model }: Pick<ResolvedModel, "provider" | "base_url" | "model">,
	apiKey: string | undefined,
): ChatModel {
	if (provider === "extractive") return BUILT_IN;
	if (provider === "bedrock")
		return createBedrockModel({ baseUrl, model, credential: parseBedrockCredential(apiKey ?? "") });
	return createOpenAiCompatibleModel({ baseUrl, model, ...(apiKey !== undefined && { apiKey }) });
}
