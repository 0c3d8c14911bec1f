import { expect, test } from "vitest";
import { planStages, type StagePlanInput } from "./plan-stages";
import type { DeploymentModels, WorkspaceModels } from "./settings";

const OPENAI = "https://api.openai.com/v1";

const embeddings = {
	provider: "openai-compatible",
	base_url: OPENAI,
	model: "text-embedding-3-small",
	dimensions: 1536,
	credential: "explicit",
} as const;

const rerank = {
	provider: "cohere",
	base_url: "https://api.cohere.com/v2",
	model: "rerank-v3.5",
	credential: "explicit",
} as const;

const deployment: DeploymentModels = { providers: {}, embeddings };

const workspace: WorkspaceModels = {
	provider: "openai-compatible",
	base_url: OPENAI,
	model: "gpt-5-nano",
	has_api_key: true,
};

const payers = (input: StagePlanInput): readonly string[] => {
	const plan = planStages(input);
	return "refusal" in plan ? [plan.refusal.code] : plan.rows.map(({ stage, payer }) => `${stage}: ${payer}`);
};

test("an OpenAI key pays for all that it can do", () => {
	expect(payers({ workspace, deployment })).toEqual([
		"rewrite: workspace",
		"embed: workspace",
		"score: workspace",
		"answer: workspace",
		"index: workspace",
	]);
});

test("nobody pays for the embedded model, whatever key a workspace has", () => {
	const embedded = { provider: "embedded", base_url: "", model: "small", credential: "none" } as const;
	const embeddingStages = ["embed", "index"] as const;
	const input = { workspace, deployment: { providers: {}, embeddings: embedded }, stages: embeddingStages };
	expect(planStages(input)).toMatchObject({
		rows: embeddingStages.map((stage) => ({
			stage,
			payer: "none",
			provider: "embedded",
			base_url: "",
			model: "small",
			credential: { kind: "none" },
		})),
	});
	const knowledgeBases = [{ id: "kb_1", embedding: { base_url: OPENAI, model: "text-embedding-3-small" } }];
	expect(planStages({ ...input, stages: ["embed"], knowledgeBases })).toMatchObject({
		rows: [{ provider: "", model: "" }],
	});
});

test("the key moves to the embedding model, and the model stays", () => {
	expect(planStages({ workspace, deployment, stages: ["embed"] })).toEqual({
		rows: [
			{
				stage: "embed",
				payer: "workspace",
				provider: "openai-compatible",
				base_url: OPENAI,
				model: "text-embedding-3-small",
				credential: { kind: "workspace" },
				reason:
					"The workspace has a key for the API that serves the deployment's embedding model: it pays, and the model stays.",
			},
		],
	});
});

test.each([
	[OPENAI, OPENAI, "workspace"],
	[`${OPENAI}/`, OPENAI, "workspace"],
	["https://eu.api.openai.com/v1", "https://eu.api.openai.com/v1", "workspace"],
	["https://eu.api.openai.com/v1", OPENAI, "deployment"],
	["https://api.vendor.example/v1", "https://api.vendor.example/v1", "deployment"],
	["https://api.openai.com.evil.example/v1", "https://api.openai.com.evil.example/v1", "deployment"],
	["https://evil.example/api.openai.com/v1", "https://evil.example/api.openai.com/v1", "deployment"],
	[
		"https://evil.example/https://api.openai.com/v1",
		"https://evil.example/https://api.openai.com/v1",
		"deployment",
	],
	["https://evil-api.openai.com/v1", "https://evil-api.openai.com/v1", "deployment"],
	["https://apixopenai.com/v1", "https://apixopenai.com/v1", "deployment"],
	["https://api.openai.com:8443/v1", "https://api.openai.com:8443/v1", "deployment"],
	["http://api.openai.com/v1", "http://api.openai.com/v1", "deployment"],
	["https://api.openai.com/v1beta", "https://api.openai.com/v1beta", "deployment"],
])("with a key for %s, vectors of %s are paid by the %s", (ownKey, vectors, payer) => {
	expect(
		payers({
			workspace: { ...workspace, base_url: ownKey },
			deployment: { ...deployment, embeddings: { ...embeddings, base_url: vectors } },
			stages: ["embed"],
		}),
	).toEqual([`embed: ${payer}`]);
});

test.each([
	["without a key", { has_api_key: false }, {}],
	["in another format", { provider: "bedrock" }, {}],
	["for vectors in another format", {}, { provider: "other" }],
])("%s the deployment pays for vectors", (_, settings, changes) => {
	expect(
		payers({
			workspace: { ...workspace, ...settings },
			deployment: { ...deployment, embeddings: { ...embeddings, ...changes } },
			stages: ["index"],
		}),
	).toEqual(["index: deployment"]);
});

test("a key that cannot be opened refuses the vectors that it would pay for, and no others", () => {
	const undecryptable: WorkspaceModels = { ...workspace, status: "undecryptable" };
	const local = { ...embeddings, base_url: "http://localhost:1/v1", credential: "none" } as const;
	expect(payers({ workspace: undecryptable, deployment, stages: ["index"] })).toEqual([
		"credential_undecryptable",
	]);
	expect(
		payers({ workspace: undecryptable, deployment: { ...deployment, embeddings: local }, stages: ["index"] }),
	).toEqual(["index: deployment"]);
	expect(
		payers({
			workspace: undecryptable,
			deployment,
			knowledgeBases: [{ id: "words", embedding: null }],
			stages: ["index"],
		}),
	).toEqual(["index: none"]);
});

test("a row for each space of vectors, and why it is searched by words", () => {
	const plan = planStages({
		deployment,
		knowledgeBases: [
			{ id: "new" },
			{ id: "also new", embedding: { ...embeddings, base_url: `${OPENAI}/` } },
			{ id: "old", embedding: { ...embeddings, model: "text-embedding-ada-002" } },
			{ id: "short", embedding: { ...embeddings, dimensions: 512 } },
			{ id: "words", embedding: null },
			{ id: "more words", embedding: null },
		],
		stages: ["embed"],
	});
	expect("rows" in plan && plan.rows.map(({ payer, reason }) => `${payer}: ${reason}`)).toEqual([
		"deployment: The deployment's embedding model makes all vectors, and the deployment pays.",
		"none: The knowledge base has vectors of text-embedding-ada-002, which is no longer configured: words only.",
		"none: The knowledge base has vectors of text-embedding-3-small, which is no longer configured: words only.",
		"none: The knowledge base has no vectors: words only.",
	]);
});

test("without an embedding model one row says so, whatever the knowledge bases have", () => {
	expect(
		planStages({
			deployment: { providers: {} },
			knowledgeBases: [
				{ id: "words", embedding: null },
				{ id: "old", embedding: embeddings },
			],
			stages: ["embed"],
		}),
	).toMatchObject({ rows: [{ payer: "none", reason: "No embedding model is configured: words only." }] });
});

test("the reranker scores for everyone, and the deployment pays", () => {
	const plan = planStages({ workspace, deployment: { ...deployment, rerank }, stages: ["score"] });
	expect(plan).toMatchObject({
		rows: [{ payer: "deployment", model: "rerank-v3.5", credential: { kind: "rerank" } }],
	});
});

test("a refused model does not spoil the stages that need none", () => {
	const refused: StagePlanInput = { deployment: { ...deployment, rerank }, choice: { provider: "bedrock" } };
	expect(payers(refused)).toEqual(["credential_required"]);
	expect(payers({ ...refused, stages: ["index", "score", "embed"] })).toEqual([
		"embed: deployment",
		"score: deployment",
		"index: deployment",
	]);
	expect(payers({ ...refused, deployment, stages: ["score"] })).toEqual(["credential_required"]);
});

test("the reasons of the stages that the answering model serves", () => {
	const reasons = (input: StagePlanInput) => {
		const plan = planStages({ ...input, stages: ["rewrite", "score"] });
		return "rows" in plan && plan.rows.map(({ reason }) => reason);
	};
	expect(reasons({ workspace, deployment })).toEqual([
		"The model that answers writes the search queries, and the workspace's key pays.",
		"The model that answers scores the passages too, for no reranker is configured, and the workspace's key pays.",
	]);
	expect(reasons({ deployment })).toEqual([
		"The built-in model rewrites nothing: the question is searched for as it is.",
		"The built-in model scores nothing: passages stay in the order in which they were found.",
	]);
});

test("of two refusals the one whose code comes first is reported", () => {
	const input: StagePlanInput = {
		choice: { provider: "anthropic" },
		workspace: { ...workspace, status: "undecryptable" },
		deployment: {
			providers: { claude: { provider: "anthropic", base_url: "https://a.example", credential: "explicit" } },
			embeddings,
		},
	};
	expect(planStages({ ...input, stages: ["answer"] })).toMatchObject({ refusal: { code: "model_required" } });
	expect(planStages(input)).toMatchObject({ refusal: { code: "credential_undecryptable" } });
	expect(planStages({ ...input, deployment: { providers: {}, embeddings } })).toMatchObject({
		refusal: { code: "provider_not_configured" },
	});
});
