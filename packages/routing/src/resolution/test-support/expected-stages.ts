import type { Stage } from "@stemma/core";
import type { StagePlanInput } from "../plan-stages";
import type { CredentialReference } from "../resolution";
import type { DeploymentReranker, EmbeddingSpace } from "../settings";
import { type ExpectedResolution, expectResolution } from "./expected-resolution";

/** What a row of a plan must come to: all but its sentence. */
export type ExpectedRow = { readonly stage: Stage } & Exclude<
	ExpectedResolution,
	{ readonly refused: unknown }
>;

export type ExpectedPlan =
	| readonly ExpectedRow[]
	| Extract<ExpectedResolution, { readonly refused: unknown }>;

/** The rules of the stages a second time; they share no code with `planStages`. */
export function expectPlan(input: StagePlanInput): ExpectedPlan {
	const stages = ORDER.filter((stage) => input.stages?.includes(stage) ?? true);
	const { rerank } = input.deployment;
	const callsModel = stages.some(
		(stage) => stage === "rewrite" || stage === "answer" || (stage === "score" && rerank === undefined),
	);
	const model = callsModel ? expectResolution(input) : NO_CALL;
	const searchesWordsOnly = stages.some((stage) => stage === "embed" || stage === "index");
	const isKeyUndecryptable = searchesWordsOnly && needsUndecryptableKey(input);
	if ("refused" in model)
		return isKeyUndecryptable && AFTER_UNDECRYPTABLE_KEY.includes(model.refused) ? UNDECRYPTABLE_KEY : model;
	if (isKeyUndecryptable) return UNDECRYPTABLE_KEY;
	const quotes = model.provider === "extractive";
	const rows: { readonly [Of in Stage]: () => readonly Row[] } = {
		rewrite: () => [quotes ? NO_CALL : model],
		embed: () => embeddingRows(input),
		score: () => [rerank ? deploymentRow("rerank", rerank) : quotes ? NO_CALL : model],
		answer: () => [model],
		index: () => embeddingRows(input),
	};
	return stages.flatMap((stage) => rows[stage]().map((row) => ({ stage, ...row })));
}

const UNDECRYPTABLE_KEY: ExpectedPlan = { refused: "credential_undecryptable" };

/** The codes behind that of a lost key in docs/http-api.md: of two refusals the first in the list is reported. */
const AFTER_UNDECRYPTABLE_KEY: readonly string[] = ["model_required", "model_not_allowed", "region_mismatch"];

type Row = Exclude<ExpectedResolution, { readonly refused: unknown }>;

const ORDER: readonly Stage[] = ["rewrite", "embed", "score", "answer", "index"];

const OPENAI = "https://api.openai.com/v1";

const NO_CALL: Row = { payer: "none", provider: "", base_url: "", model: "", credential: { kind: "none" } };

function embeddingRows(input: StagePlanInput): readonly Row[] {
	const { embeddings } = input.deployment;
	if (embeddings === undefined) return [NO_CALL];
	const own = toSpace(embeddings);
	const spaces = (input.knowledgeBases ?? []).map(({ embedding }) =>
		embedding === undefined ? own : toSpace(embedding),
	);
	return [...new Set(spaces.length === 0 ? [own] : spaces)].map((space) =>
		space === own ? callRow(input, embeddings) : NO_CALL,
	);
}

function callRow(input: StagePlanInput, embeddings: DeploymentReranker): Row {
	return usesWorkspaceKey(input)
		? { ...deploymentRow("embeddings", embeddings), payer: "workspace", credential: { kind: "workspace" } }
		: deploymentRow("embeddings", embeddings);
}

/** Two knowledge bases are of one space where this is the same. */
const toSpace = (space: EmbeddingSpace | null | undefined): string =>
	space ? `${space.base_url} ${space.model} ${space.dimensions}` : "";

function usesWorkspaceKey({ workspace, deployment: { embeddings } }: StagePlanInput): boolean {
	const isBothOpenAi = [workspace, embeddings].every(
		(one) => one?.provider === "openai-compatible" && one.base_url === OPENAI,
	);
	return isBothOpenAi && workspace?.has_api_key === true;
}

const needsUndecryptableKey = (input: StagePlanInput): boolean =>
	input.workspace?.status === "undecryptable" &&
	embeddingRows(input).some(({ credential }) => credential.kind === "workspace");

function deploymentRow(
	name: "embeddings" | "rerank",
	{ provider, base_url, model, credential }: DeploymentReranker,
): Row {
	const reference: CredentialReference = credential === "none" ? { kind: "none" } : { kind: name };
	return { payer: "deployment", provider, base_url, model, credential: reference };
}
