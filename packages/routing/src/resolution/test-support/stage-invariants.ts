import type { Stage } from "@stemma/core";
import { planStages, type StagePlanInput } from "../plan-stages";
import type { CredentialReference } from "../resolution";
import { resolveModel } from "../resolve-model";
import type { StagePlan, StageRow } from "../stage-plan";
import { type ExpectedRow, expectPlan } from "./expected-stages";
import type { Invariants } from "./find-violations";
import { isSentence } from "./model-invariants";

export interface StageCase {
	readonly input: StagePlanInput;
	readonly plan: StagePlan;
}

export const toStageCase = (input: StagePlanInput): StageCase => ({ input, plan: planStages(input) });

/** What holds of every plan of all stages, whatever is set. */
export const STAGE_INVARIANTS: Invariants<StageCase> = {
	"it is what the table of rules says": ({ input, plan }) => isAsExpected(input, plan),

	"a refusal has no plan": ({ plan }) => "refusal" in plan !== "rows" in plan,

	"a model that is refused refuses the plan": ({ input, plan }) => {
		const resolution = resolveModel(input);
		return (
			"resolved" in resolution ||
			("refusal" in plan && JSON.stringify(plan.refusal) === JSON.stringify(resolution.refusal))
		);
	},

	"every row has a sentence as reason": ofRows(({ reason }) => isSentence(reason)),

	"the plan's answer row is the resolution": ofRows((row, input) => {
		const resolution = resolveModel(input);
		return (
			row.stage !== "answer" ||
			("resolved" in resolution &&
				JSON.stringify(row) === JSON.stringify({ stage: "answer", ...resolution.resolved }))
		);
	}),

	"the embedding model never changes": ofRows(
		({ stage, model, base_url }, { deployment: { embeddings } }) =>
			!isEmbedding(stage) ||
			model === "" ||
			(model === embeddings?.model && base_url === embeddings.base_url),
	),

	"who pays for vectors does not depend on overrides": ({ input, plan }) => {
		if (input.choice === undefined || "refusal" in plan) return true;
		const withoutChoice = planStages({ ...input, choice: undefined, stages: ["embed"] });
		return "rows" in withoutChoice && toLines(plan.rows, "embed") === toLines(withoutChoice.rows, "embed");
	},

	"taking in documents is paid like asking": ({ plan }) =>
		"refusal" in plan || toLines(plan.rows, "embed") === toLines(plan.rows, "index"),

	"with a reranker it scores, and the deployment pays": ofRows(
		({ stage, payer, model }, { deployment: { rerank } }) =>
			stage !== "score" || rerank === undefined || (payer === "deployment" && model === rerank.model),
	),

	"no row is paid by the deployment that the workspace's key could pay": ofRows((row, input) => {
		const { workspace, deployment } = input;
		const isReranked = row.stage === "score" && deployment.rerank !== undefined;
		const canPay = isEmbedding(row.stage)
			? workspace?.base_url === "https://api.openai.com/v1" && row.base_url === workspace.base_url
			: workspace?.provider === row.provider && !isReranked;
		return row.payer !== "deployment" || !workspace?.has_api_key || !canPay;
	}),

	"the workspace pays nothing at another's endpoint": ofRows(
		({ payer, base_url }, { workspace }) => payer !== "workspace" || base_url === workspace?.base_url,
	),

	"a workspace without settings pays nothing": ofRows(
		({ payer }, { workspace }) => workspace !== null || payer !== "workspace",
	),

	"where no call is made nobody pays, and where one is made somebody does": ofRows(
		({ payer, base_url }) => (payer === "none") === (base_url === ""),
	),

	"every stage has a row, in the order in which they run": ({ plan }) =>
		"refusal" in plan || [...new Set(plan.rows.map(({ stage }) => stage))].join() === ORDER.join(),
};

export function isAsExpected(input: StagePlanInput, plan = planStages(input)): boolean {
	const expected = expectPlan(input);
	if ("refused" in expected) return "refusal" in plan && plan.refusal.code === expected.refused;
	return "rows" in plan && plan.rows.map(toLine).join("\n") === expected.map(toLine).join("\n");
}

/** All but the reason; a thousand times quicker to compare than to assert. */
const toLine = ({ stage, payer, provider, base_url, model, credential }: ExpectedRow | StageRow): string =>
	[stage, payer, provider, base_url, model, toText(credential)].join();

const toText = (credential: CredentialReference): string =>
	"name" in credential ? `${credential.kind} ${credential.name}` : credential.kind;

export const ORDER: readonly Stage[] = ["rewrite", "embed", "score", "answer", "index"];

function ofRows(holds: (row: StageRow, input: StagePlanInput) => boolean): (one: StageCase) => boolean {
	return ({ input, plan }) => "refusal" in plan || plan.rows.every((row) => holds(row, input));
}

const isEmbedding = (stage: Stage): boolean => stage === "embed" || stage === "index";

const toLines = (rows: readonly StageRow[], wanted: Stage): string =>
	rows
		.flatMap((row) => (row.stage === wanted ? `${toLine({ ...row, stage: "embed" })} ${row.reason}` : []))
		.join();
