import type { KnowledgeBase, KnowledgeBaseUpdate, NodeModelRequest } from "@stemma/client";

/** Content of the form of a knowledge base. */
export interface BaseSettingsDraft {
	readonly name: string;
	readonly description: string;
	/** Empty: that of the workspace. */
	readonly llmProvider: string;
	readonly llmModel: string;
}

export const toBaseDraft = (base: KnowledgeBase): BaseSettingsDraft => ({
	name: base.name,
	description: base.description ?? "",
	llmProvider: base.llm_provider ?? "",
	llmModel: base.llm_model ?? "",
});

/** Body of the request: what was changed alone, as the model needs a scope that not everybody has. */
export function toBaseUpdate(base: KnowledgeBase, draft: BaseSettingsDraft): KnowledgeBaseUpdate {
	const before = toBaseDraft(base);
	const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
	return {
		...(draft.name.trim() !== before.name && { name: draft.name.trim() }),
		...(draft.description.trim() !== before.description && { description: orNull(draft.description) }),
		...(draft.llmProvider !== before.llmProvider && { llm_provider: orNull(draft.llmProvider) }),
		...(draft.llmModel.trim() !== before.llmModel && { llm_model: orNull(draft.llmModel) }),
	};
}

/** Nodes to ask about for the plan: a request that names a model is resolved as a knowledge base that names it. */
export function toPlanNodes({ llmProvider, llmModel }: BaseSettingsDraft): readonly NodeModelRequest[] {
	const choice = {
		...(llmProvider !== "" && { provider: llmProvider }),
		...(llmModel.trim() !== "" && { model: llmModel.trim() }),
	};
	return [
		{ node: "answer", ...choice },
		{ node: "rewrite", stage: "rewrite", ...choice },
	];
}
