import type { KnowledgeBaseModels, ModelPreference } from "@stemma/routing";
import type { RequestScope } from "../request-scope";
import type { ModelRequest } from "./models";

/**
 * Request for models on behalf of a caller, with the settings of now.
 *
 * @param knowledgeBases - those that it may use, by id or slug or as they were read.
 */
export async function toModelRequest(
	{ caller, workspace }: Pick<RequestScope, "caller" | "workspace">,
	knowledgeBases: readonly string[] | readonly KnowledgeBaseModels[],
	choice?: ModelPreference,
): Promise<ModelRequest> {
	return {
		choice,
		isClientKey: caller.kind === "client_key",
		knowledgeBases: areNames(knowledgeBases)
			? await workspace.knowledge.listKnowledgeBaseModels(knowledgeBases)
			: knowledgeBases,
		workspace: await workspace.settings.open(),
	};
}

const areNames = (
	knowledgeBases: readonly string[] | readonly KnowledgeBaseModels[],
): knowledgeBases is readonly string[] => typeof knowledgeBases[0] === "string";
