export type { EmbeddingModel, EmbeddingReply } from "./embedding-model";
export type { CallOptions } from "./http/call-options";
export { type ErrorTexts, type OptionNames, renameOptions } from "./http/option-texts";
export { ProviderError, type ProviderErrorCode, type ProviderErrorOptions } from "./provider-error";
export type { Reranker, RerankReply } from "./reranker";
export { explainPlan } from "./resolution/explain-plan";
export { planStages, type StagePlanInput } from "./resolution/plan-stages";
export { toRefusalHint } from "./resolution/refusal-hint";
export {
	type CredentialReference,
	REFUSAL_CODES,
	type Refusal,
	type RefusalCode,
	type Refused,
	type Resolution,
	type ResolvedModel,
} from "./resolution/resolution";
export { resolveModel } from "./resolution/resolve-model";
export {
	type CredentialSource,
	type DeploymentEmbeddings,
	type DeploymentModels,
	type DeploymentProvider,
	type DeploymentReranker,
	EMBEDDED_PROVIDER,
	type EmbeddingSpace,
	type KnowledgeBaseModels,
	type ModelPreference,
	type ResolutionInput,
	type WorkspaceModels,
} from "./resolution/settings";
export type { StagePlan, StageRow } from "./resolution/stage-plan";
