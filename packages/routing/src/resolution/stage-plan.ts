import type { Stage } from "@stemma/core";
import type { Refused, ResolvedModel } from "./resolution";
import type { DeploymentReranker } from "./settings";

/**
 * Model that would be called for a stage, and its payer. Where no call is made, provider, address and model are empty.
 */
export interface StageRow extends ResolvedModel {
	readonly stage: Stage;
}

/** A row for each stage, in the order in which they run; `embed` and `index` one for each embedding space. */
export type StagePlan = { readonly rows: readonly StageRow[] } | Refused;

/** A stage without a call. */
export const toNoCallRow = (stage: Stage, reason: string): StageRow => ({
	stage,
	payer: "none",
	provider: "",
	base_url: "",
	model: "",
	credential: { kind: "none" },
	reason,
});

/** A call to something of the deployment's that has an entry of its own in the configuration. */
export const toDeploymentRow = (
	stage: Stage,
	name: "embeddings" | "rerank",
	{ provider, base_url, model, credential }: DeploymentReranker,
	reason: string,
): StageRow => ({
	stage,
	payer: "deployment",
	provider,
	base_url,
	model,
	credential: credential === "none" ? { kind: "none" } : { kind: name },
	reason,
});
