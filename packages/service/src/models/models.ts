import type { StatedPrice } from "@stemma/client";
import type { Cost, Payer, ReceiptRow, Stage } from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";
import {
	type EmbeddingModel,
	type EmbeddingSpace,
	type ModelPreference,
	planStages,
	type Refusal,
	type Reranker,
	type ResolutionInput,
	resolveModel,
	type StageRow,
	toRefusalHint,
} from "@stemma/routing";
import { toAmounts } from "../configuration/prices-schema";
import { DomainError } from "../errors/domain-error";
import { computeCost, findPrice } from "../pricing/price-list";
import { createChatModels, type ModelsOptions, type WorkspaceCredential } from "./chat-models";
import { createEmbeddingModel, createReranker } from "./create-model";
import { type ModelConfiguration, toDeploymentModels } from "./deployment-models";
import type { EmbeddedModel } from "./embedded/embedded-model";

/** Request for models: everything that decides except the deployment, which is the same for every request. */
export type ModelRequest = Omit<ResolutionInput, "deployment" | "workspace"> & {
	/** Left out: the workspace has set none. */
	readonly workspace?: WorkspaceCredential | undefined;
};

/** Decides which model answers and who pays for it. Nothing else in the service does. */
export interface Models {
	/** The space of the vectors that are made now. */
	readonly space: EmbeddingSpace | undefined;
	/** @throws DomainError with the code of the refusal. */
	resolve(request: ModelRequest): ResolvedModel;
	/**
	 * Plans which models some stages would call, and who would pay.
	 *
	 * @throws DomainError with the code of the refusal.
	 */
	plan(stages: readonly Stage[], request: ModelRequest): readonly StageRow[];
	/** The embedding model that runs inside of the service, where it is configured. */
	readonly embedded: EmbeddedModel | undefined;
	embedding(row: StageRow, workspace: WorkspaceCredential | undefined): EmbeddingModel;
	/** A vendor judges passages, and does nothing else. */
	readonly hasReranker: boolean;
	/** The vendor that judges passages, by a row that was planned; none: the model that answers does. */
	reranker(row: StageRow): Reranker | undefined;
	/** Computes the cost of a call; `undefined` where its model has no price, or nobody pays. */
	computeCost(row: ReceiptRow): Cost | undefined;
	/** Finds the price that the operator has stated for a model. */
	findPrice(model: Pick<ReceiptRow, "model" | "vendor_host">): StatedPrice | undefined;
	/** Drops the models of a workspace, and the keys in them. */
	evict(workspaceId: string): void;
	/** Lists the models that would answer by their name, `default` first. Models that would be refused are left out. */
	list(request: ModelRequest): ListedModel[];
}

export interface ListedModel {
	/** Id in requests: `default`, or the name that the endpoint gives the model. */
	readonly id: string;
	readonly provider: string;
	readonly model: string;
	readonly vendorHost: string;
	readonly payer: Payer;
	readonly reason: string;
}

export interface DeploymentModelsOptions extends ModelsOptions {
	/** The embedded model, where `embeddings` names it. */
	readonly embedded?: EmbeddedModel | undefined;
}

export function createModels(configuration: ModelConfiguration, options: DeploymentModelsOptions): Models {
	const { fetch, embedded } = options;
	const { embeddings, rerank, prices } = configuration;
	const deployment = toDeploymentModels(configuration);
	const chatModels = createChatModels(configuration, options);

	function resolve({ workspace, ...request }: ModelRequest): ResolvedModel {
		const resolution = resolveModel({ ...request, workspace: workspace?.settings, deployment });
		if ("refusal" in resolution) throw toRefusalError(resolution.refusal, request.choice);
		const { resolved } = resolution;
		const { payer, reason } = resolved;
		const model =
			payer === "workspace" && workspace !== undefined
				? chatModels.forWorkspace(resolved, workspace)
				: chatModels.forDeployment(resolved);
		return { model, payer, reason };
	}

	return {
		space: deployment.embeddings && toSpace(deployment.embeddings),
		resolve,
		plan(stages, { workspace, ...request }) {
			const plan = planStages({ ...request, workspace: workspace?.settings, deployment, stages });
			if ("refusal" in plan) throw toRefusalError(plan.refusal, request.choice);
			return plan.rows;
		},
		embedded,
		embedding(row, workspace) {
			if (embedded !== undefined) return embedded.forWorkspace(workspace?.workspaceId ?? "", "questions");
			const { kind } = row.credential;
			const secret =
				kind === "workspace" ? workspace?.apiKey : kind === "embeddings" ? embeddings?.credential : undefined;
			const endpoint = { ...row, dimensions: embeddings?.dimensions };
			// The address is the deployment's own, whoever's key it is.
			const { capabilityCache } = chatModels;
			return createEmbeddingModel(endpoint, secret?.reveal(), { fetch, capabilityCache });
		},
		computeCost: (row) => computeCost(prices, row),
		findPrice(model) {
			const price = findPrice(prices, model);
			return prices && price && { currency: prices.currency, ...toAmounts(price) };
		},
		hasReranker: rerank !== undefined,
		evict: chatModels.evict,
		reranker: (row) =>
			rerank === undefined ? undefined : createReranker(row, rerank.credential?.reveal(), { fetch }),
		list: (request) =>
			[...new Set(["default", ...listModelNames(configuration, request)])].flatMap((id) =>
				toListedModel(id, () => resolve({ ...request, choice: { model: id } })),
			),
	};
}

const toSpace = ({ base_url, model, dimensions }: EmbeddingSpace): EmbeddingSpace => ({
	base_url,
	model,
	dimensions,
});

/** Names that a request may have for models, as far as they are known. */
function listModelNames(
	{ chat, providers }: ModelConfiguration,
	{ workspace }: ModelRequest,
): readonly string[] {
	if (workspace !== undefined) return [workspace.settings.model];
	const provider = chat === undefined ? undefined : providers[chat];
	return provider === undefined ? [] : [provider.defaultModel, ...provider.allowedModels];
}

/** The model that would answer by a name; none where the request would be refused. */
function toListedModel(id: string, resolve: () => ResolvedModel): ListedModel[] {
	try {
		const { model, payer, reason } = resolve();
		const { provider, vendorHost } = model;
		return [{ id, provider, model: model.model, vendorHost, payer, reason }];
	} catch (error) {
		if (error instanceof DomainError) return [];
		throw error;
	}
}

/** A refusal as the API reports it. */
const toRefusalError = (refusal: Refusal, choice: ModelPreference | undefined): DomainError =>
	new DomainError(refusal.code, refusal.reason, {
		hint: toRefusalHint(refusal),
		param: choice === undefined ? undefined : "model",
	});
