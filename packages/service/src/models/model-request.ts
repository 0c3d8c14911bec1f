import type { ModelPreference } from "@stemma/routing";
import type { RequestScope } from "../request-scope";
import type { ModelRequest } from "./models";

/** Request for models on behalf of a caller, over knowledge bases that it may use, with the settings of now. */
export async function toModelRequest(
	{ caller, workspace }: Pick<RequestScope, "caller" | "workspace">,
	knowledgeBaseIds: readonly string[],
	choice?: ModelPreference,
): Promise<ModelRequest> {
	return {
		choice,
		isClientKey: caller.kind === "client_key",
		knowledgeBases: await workspace.knowledge.listKnowledgeBaseModels(knowledgeBaseIds),
		workspace: await workspace.settings.open(),
	};
}
