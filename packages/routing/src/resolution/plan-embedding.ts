import { trimEndOf } from "@stemma/core/internal";
import { rejectUndecryptable } from "./find-endpoint";
import type { Refused } from "./resolution";
import {
	type DeploymentEmbeddings,
	EMBEDDED_PROVIDER,
	type EmbeddingSpace,
	type ResolutionInput,
} from "./settings";
import { type StageRow, toDeploymentRow, toNoCallRow } from "./stage-plan";

type EmbeddingStage = "embed" | "index";

/**
 * A row for each embedding space. The model is that of the deployment, whoever pays and whatever answers: with a
 * workspace's key for the very API that serves it, the key moves.
 */
export function planEmbedding(stage: EmbeddingStage, input: ResolutionInput): readonly StageRow[] | Refused {
	const { embeddings } = input.deployment;
	if (embeddings === undefined) return [toNoCallRow(stage, "No embedding model is configured: words only.")];
	const spaces = listSpaces(input, embeddings);
	const isCalled = spaces.some((space) => isSameSpace(space, embeddings));
	const isWorkspaceKey = usesWorkspaceKey(input.workspace, embeddings);
	if (isCalled && isWorkspaceKey && input.workspace?.status === "undecryptable") return rejectUndecryptable();
	return spaces.map((space) =>
		isSameSpace(space, embeddings)
			? toRow(stage, embeddings, isWorkspaceKey)
			: toNoCallRow(stage, explainNoCall(space)),
	);
}

/** The workspace pays where it has a key for OpenAI's own API, and that is what makes the deployment's vectors. */
function usesWorkspaceKey(
	workspace: ResolutionInput["workspace"],
	embeddings: DeploymentEmbeddings,
): boolean {
	return (
		workspace?.provider === "openai-compatible" &&
		workspace.has_api_key &&
		embeddings.provider === "openai-compatible" &&
		isOpenAiApi(workspace.base_url) &&
		isSameBaseUrl(workspace.base_url, embeddings.base_url)
	);
}

/** Checks whether a base URL is that of OpenAI's API or one of its regions; any other path, or a port, is not. */
const isOpenAiApi = (baseUrl: string): boolean =>
	/^https:\/\/([a-z]{2}\.)?api\.openai\.com\/v1\/*$/.test(baseUrl);

const isSameBaseUrl = (one: string, other: string): boolean => trim(one) === trim(other);

const trim = (baseUrl: string): string => trimEndOf(baseUrl, "/");

function listSpaces(
	{ knowledgeBases = [] }: ResolutionInput,
	embeddings: DeploymentEmbeddings,
): readonly (EmbeddingSpace | null)[] {
	const spaces = knowledgeBases.map(({ embedding }) => (embedding === undefined ? embeddings : embedding));
	const distinct = spaces.filter(
		(space, index) => spaces.findIndex((other) => isSameSpace(space, other)) === index,
	);
	return distinct.length === 0 ? [embeddings] : distinct;
}

const isSameSpace = (one: EmbeddingSpace | null, other: EmbeddingSpace | null): boolean =>
	one === null || other === null
		? one === other
		: one.model === other.model &&
			one.dimensions === other.dimensions &&
			isSameBaseUrl(one.base_url, other.base_url);

const explainNoCall = (space: EmbeddingSpace | null): string =>
	space === null
		? "The knowledge base has no vectors: words only."
		: `The knowledge base has vectors of ${space.model}, which is no longer configured: words only.`;

function toRow(stage: EmbeddingStage, embeddings: DeploymentEmbeddings, isWorkspaceKey: boolean): StageRow {
	if (embeddings.provider === EMBEDDED_PROVIDER) return toEmbeddedRow(stage, embeddings);
	const row = toDeploymentRow(
		stage,
		"embeddings",
		embeddings,
		"The deployment's embedding model makes all vectors, and the deployment pays.",
	);
	if (!isWorkspaceKey) return row;
	return {
		...row,
		payer: "workspace",
		credential: { kind: "workspace" },
		reason:
			"The workspace has a key for the API that serves the deployment's embedding model: it pays, and the model stays.",
	};
}

const toEmbeddedRow = (stage: EmbeddingStage, embeddings: DeploymentEmbeddings): StageRow => ({
	...toDeploymentRow(
		stage,
		"embeddings",
		embeddings,
		"The embedding model runs inside of the service: nobody pays.",
	),
	payer: "none",
});
