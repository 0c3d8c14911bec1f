import type { Stage } from "@stemma/core";
import type { StagePlanInput } from "../plan-stages";
import type { CredentialReference } from "../resolution";
import type { DeploymentReranker, EmbeddingSpace } from "../settings";
import { decide, type Verdict } from "./resolution-rules";

/** What a row of a plan must come to: all but its sentence. */
export type RowVerdict = { readonly stage: Stage } & Exclude<Verdict, { readonly refused: unknown }>;

export type PlanVerdict = readonly RowVerdict[] | Extract<Verdict, { readonly refused: unknown }>;

/** The rules of the stages a second time; they share no code with `planStages`. */
export function decidePlan(input: StagePlanInput): PlanVerdict {
	const stages = ORDER.filter((stage) => input.stages?.includes(stage) ?? true);
	const { rerank } = input.deployment;
	const asksModel = stages.some(
		(stage) => stage === "rewrite" || stage === "answer" || (stage === "score" && rerank === undefined),
	);
	const model = asksModel ? decide(input) : IDLE;
	const asksWords = stages.some((stage) => stage === "embed" || stage === "index");
	const isKeyLost = asksWords && needsLostKey(input);
	if ("refused" in model) return isKeyLost && AFTER_A_LOST_KEY.includes(model.refused) ? LOST_KEY : model;
	if (isKeyLost) return LOST_KEY;
	const quotes = model.provider === "extractive";
	const rows: { readonly [Of in Stage]: () => readonly Row[] } = {
		rewrite: () => [quotes ? IDLE : model],
		embed: () => embeddingRows(input),
		score: () => [rerank ? deploymentRow("rerank", rerank) : quotes ? IDLE : model],
		answer: () => [model],
		index: () => embeddingRows(input),
	};
	return stages.flatMap((stage) => rows[stage]().map((row) => ({ stage, ...row })));
}

const LOST_KEY: PlanVerdict = { refused: "credential_undecryptable" };

/** The codes behind that of a lost key in docs/http-api.md: of two refusals the first in the list is reported. */
const AFTER_A_LOST_KEY: readonly string[] = ["model_required", "model_not_allowed", "region_mismatch"];

type Row = Exclude<Verdict, { readonly refused: unknown }>;

const ORDER: readonly Stage[] = ["rewrite", "embed", "score", "answer", "index"];

const OPENAI = "https://api.openai.com/v1";

const IDLE: Row = { payer: "none", provider: "", base_url: "", model: "", credential: { of: "nobody" } };

function embeddingRows(input: StagePlanInput): readonly Row[] {
	const { embeddings } = input.deployment;
	if (embeddings === undefined) return [IDLE];
	const own = toSpace(embeddings);
	const spaces = (input.knowledgeBases ?? []).map(({ embedding }) =>
		embedding === undefined ? own : toSpace(embedding),
	);
	return [...new Set(spaces.length === 0 ? [own] : spaces)].map((space) =>
		space === own ? callRow(input, embeddings) : IDLE,
	);
}

function callRow(input: StagePlanInput, embeddings: DeploymentReranker): Row {
	return doesKeyMove(input)
		? { ...deploymentRow("embeddings", embeddings), payer: "workspace", credential: { of: "workspace" } }
		: deploymentRow("embeddings", embeddings);
}

/** Two knowledge bases are of one space where this is the same. */
const toSpace = (space: EmbeddingSpace | null | undefined): string =>
	space ? `${space.base_url} ${space.model} ${space.dimensions}` : "";

function doesKeyMove({ workspace, deployment: { embeddings } }: StagePlanInput): boolean {
	const isBothOpenAi = [workspace, embeddings].every(
		(one) => one?.provider === "openai-compatible" && one.base_url === OPENAI,
	);
	return isBothOpenAi && workspace?.has_api_key === true;
}

const needsLostKey = (input: StagePlanInput): boolean =>
	input.workspace?.status === "undecryptable" &&
	embeddingRows(input).some(({ credential }) => credential.of === "workspace");

function deploymentRow(
	name: "embeddings" | "rerank",
	{ provider, base_url, model, credential }: DeploymentReranker,
): Row {
	const reference: CredentialReference = credential === "none" ? { of: "nobody" } : { of: name };
	return { payer: "deployment", provider, base_url, model, credential: reference };
}
