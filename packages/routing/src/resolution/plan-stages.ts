import type { Stage } from "@stemma/core";
import { BUILT_IN } from "./choose-model";
import { planEmbedding } from "./plan-embedding";
import { findFirstRefusal, type Refusal, type Refused, type ResolvedModel } from "./resolution";
import { explainPayer, resolveModel } from "./resolve-model";
import type { ResolutionInput } from "./settings";
import { type StagePlan, type StageRow, toDeploymentRow, toNoCallRow } from "./stage-plan";

/** Stages, in the order in which they run. */
const STAGES: readonly Stage[] = ["rewrite", "embed", "score", "answer", "index"];

export interface StagePlanInput extends ResolutionInput {
	/** Stages that are wanted. Default: all. */
	readonly stages?: readonly Stage[] | undefined;
}

/**
 * Plans who is called and who pays at each stage of answering a question, and of taking in documents (`index`). Pure, as
 * `resolveModel` is; where one of the stages that are wanted is refused, there is no plan.
 */
export function planStages(input: StagePlanInput): StagePlan {
	const requestedStages =
		input.stages === undefined ? STAGES : STAGES.filter((stage) => input.stages?.includes(stage));
	const resolution = requestedStages.some((stage) => needsModel(stage, input))
		? resolveModel(input)
		: undefined;
	const isRefused = resolution !== undefined && "refusal" in resolution;
	const refusals: Refusal[] = isRefused ? [resolution.refusal] : [];
	const rows: StageRow[] = [];
	for (const stage of requestedStages) {
		const planned = planStage(stage, input, isRefused ? undefined : resolution?.resolved);
		if ("refusal" in planned) refusals.push(planned.refusal);
		else rows.push(...planned);
	}
	const refusal = findFirstRefusal(refusals);
	return refusal === undefined ? { rows } : { refusal };
}

const needsModel = (stage: Stage, { deployment }: ResolutionInput): boolean =>
	stage === "score" ? deployment.rerank === undefined : stage === "rewrite" || stage === "answer";

function planStage(
	stage: Stage,
	input: ResolutionInput,
	resolved: ResolvedModel | undefined,
): readonly StageRow[] | Refused {
	if (stage === "embed" || stage === "index") return planEmbedding(stage, input);
	const { rerank } = input.deployment;
	if (stage === "score" && rerank !== undefined)
		return [toDeploymentRow(stage, "rerank", rerank, RERANKER_REASON)];
	return resolved === undefined ? [] : [toModelRow(stage, resolved)];
}

const RERANKER_REASON =
	"The deployment's reranker scores the passages, and the deployment pays, whoever pays for the answer.";

function toModelRow(stage: Stage, resolved: ResolvedModel): StageRow {
	const noCallReason = NO_CALL_REASONS[stage];
	if (resolved.provider === BUILT_IN && noCallReason !== undefined) return toNoCallRow(stage, noCallReason);
	const task = TASKS[stage];
	if (task === undefined) return { stage, ...resolved };
	return { stage, ...resolved, reason: `The model that answers ${task}, and ${explainPayer(resolved)}.` };
}

const NO_CALL_REASONS: { readonly [S in Stage]?: string } = {
	rewrite: "The built-in model rewrites nothing: the question is searched for as it is.",
	score: "The built-in model scores nothing: passages stay in the order in which they were found.",
};

const TASKS: { readonly [S in Stage]?: string } = {
	rewrite: "writes the search queries",
	score: "scores the passages too, for no reranker is configured",
};
