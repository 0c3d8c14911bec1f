import type { ChatModel, Payer, Stage } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import type { ResolvedModel } from "@stemma/engine";
import {
	type EmbeddingModel,
	type EmbeddingSpace,
	planStages,
	type Reranker,
	type ResolutionInput,
	type ResolvedModel as Resolved,
	resolveModel,
	type StageRow,
} from "@stemma/routing";
import { parseBedrockEndpoint } from "@stemma/routing/bedrock";
import type { CapabilityCache, FetchLike } from "@stemma/routing/openai-compatible";
import { DomainError } from "../errors/domain-error";
import { type AmbientCredentials, createAmbientCredentials } from "./ambient-aws/ambient-credentials";
import { createAmbientModel } from "./ambient-aws/ambient-model";
import { createChatModel, type ModelCredential } from "./create-chat-model";
import { createEmbeddingModel } from "./create-embedding-model";
import { createReranker } from "./create-reranker";
import { type ModelConfiguration, toDeploymentModels } from "./deployment-models";
import { createModelCache, type ModelCache } from "./model-cache";
import { toRefusalError } from "./refusal-error";
import { renameOptions } from "./rename-options";
import type { WorkspaceCredential } from "./workspace-credential";

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
	/** Returns the embedding model for a planned row. */
	embedding(row: StageRow, workspace: WorkspaceCredential | undefined): EmbeddingModel;
	/** A vendor judges passages, and does nothing else. */
	readonly hasReranker: boolean;
	/** The vendor that judges passages, by a row that was planned; none: the model that answers does. */
	reranker(row: StageRow): Reranker | undefined;
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

export interface ModelsOptions {
	/** Fetch for addresses that a tenant chose. */
	readonly outbound: FetchLike;
	/** Fetch for the addresses of the configuration. Default: `fetch` of the platform. */
	readonly fetch?: FetchLike | undefined;
	/** The credentials of the machine, for the deployment's own configuration alone. Default: AWS's provider chain. */
	readonly createAmbient?: ((region: string | undefined) => AmbientCredentials) | undefined;
}

/** Tenants whose models are kept; the longest unused are made anew. */
const MAX_TENANTS = 1000;

export function createModels(
	configuration: ModelConfiguration,
	{ outbound, fetch, createAmbient = (region) => createAmbientCredentials({ region }) }: ModelsOptions,
): Models {
	const deployment = toDeploymentModels(configuration);
	const { chat, providers, embeddings, rerank } = configuration;
	const deploymentCache = createModelCache();
	const tenants = new Map<string, ModelCache>();
	const ambientCredentials = new Map<string | undefined, AmbientCredentials>();

	function getCache(workspaceId: string): ModelCache {
		const cache = tenants.get(workspaceId) ?? createModelCache();
		tenants.delete(workspaceId);
		tenants.set(workspaceId, cache);
		const [oldest] = tenants.keys();
		if (tenants.size > MAX_TENANTS && oldest !== undefined) tenants.delete(oldest);
		return cache;
	}

	/** Asked once for all models of a region. */
	function getAmbientCredentials(region: string | undefined): AmbientCredentials {
		const credentials = ambientCredentials.get(region) ?? createAmbient(region);
		ambientCredentials.set(region, credentials);
		return credentials;
	}

	/** Returns the model that a workspace pays for. All such calls go to an address that the workspace chose. */
	function getWorkspaceModel(
		resolved: Resolved,
		{ workspaceId, version, apiKey }: WorkspaceCredential,
	): ChatModel {
		const { capabilityCache, get } = getCache(workspaceId);
		const key = resolved.credential.kind === "workspace" ? apiKey?.reveal() : undefined;
		const build = (): ChatModel =>
			createModel(() => createChatModel(resolved, key, { fetch: outbound, capabilityCache }), "workspace");
		return version === undefined ? build() : get(version, toKey(resolved), build);
	}

	function createDeploymentModel(resolved: Resolved, capabilityCache: CapabilityCache): ChatModel {
		const { credential, base_url } = resolved;
		const create = (key: ModelCredential | undefined): ChatModel =>
			createChatModel(resolved, key, { fetch, capabilityCache });
		if (credential.kind === "machine")
			return createAmbientModel(getAmbientCredentials(parseBedrockEndpoint(base_url).region), create);
		return create(
			credential.kind === "deployment" ? providers[credential.name]?.credential?.reveal() : undefined,
		);
	}

	function resolve({ workspace, ...request }: ModelRequest): ResolvedModel {
		const resolution = resolveModel({ ...request, workspace: workspace?.settings, deployment });
		if ("refusal" in resolution) throw toRefusalError(resolution.refusal, request.choice);
		const { resolved } = resolution;
		const { payer, reason } = resolved;
		const model =
			payer === "workspace" && workspace !== undefined
				? getWorkspaceModel(resolved, workspace)
				: deploymentCache.get("", toKey(resolved), () =>
						createModel(() => createDeploymentModel(resolved, deploymentCache.capabilityCache), "deployment"),
					);
		return { model, payer, reason };
	}

	/** The model that would answer; undefined where the request would be refused. */
	function findModel(request: ModelRequest): ResolvedModel | undefined {
		try {
			return resolve(request);
		} catch (error) {
			if (error instanceof DomainError) return undefined;
			throw error;
		}
	}

	return {
		space: deployment.embeddings && toSpace(deployment.embeddings),
		resolve,
		plan(stages, { workspace, ...request }) {
			const plan = planStages({ ...request, workspace: workspace?.settings, deployment, stages });
			if ("refusal" in plan) throw toRefusalError(plan.refusal, request.choice);
			return plan.rows;
		},
		embedding(row, workspace) {
			const { kind } = row.credential;
			const secret =
				kind === "workspace" ? workspace?.apiKey : kind === "embeddings" ? embeddings?.credential : undefined;
			const endpoint = { ...row, dimensions: embeddings?.dimensions };
			// The address is the deployment's own, whoever's key it is.
			return createEmbeddingModel(endpoint, secret?.reveal(), {
				fetch,
				capabilityCache: deploymentCache.capabilityCache,
			});
		},
		hasReranker: rerank !== undefined,
		evict: (workspaceId) => void tenants.delete(workspaceId),
		reranker: (row) =>
			rerank === undefined ? undefined : createReranker(row, rerank.credential?.reveal(), { fetch }),
		list(request) {
			const chatProvider = chat === undefined ? undefined : providers[chat];
			const workspaceModels = request.workspace?.settings;
			const names =
				workspaceModels === undefined
					? chatProvider === undefined
						? []
						: [chatProvider.defaultModel, ...chatProvider.allowedModels]
					: [workspaceModels.model];
			return [...new Set(["default", ...names])].flatMap((id) => {
				const resolved = findModel({ ...request, choice: { model: id } });
				if (resolved === undefined) return [];
				const { model, payer, reason } = resolved;
				const { provider, vendorHost } = model;
				return { id, provider, model: model.model, vendorHost, payer, reason };
			});
		},
	};
}

const toKey = ({ provider, base_url, model, credential }: Resolved): string =>
	JSON.stringify([provider, base_url, model, credential]);

const toSpace = ({ base_url, model, dimensions }: EmbeddingSpace): EmbeddingSpace => ({
	base_url,
	model,
	dimensions,
});

/** Creates a model, or fails where its settings are no longer usable: temporary credentials expire. */
function createModel(build: () => ChatModel, owner: "deployment" | "workspace"): ChatModel {
	try {
		return build();
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		const { code, message, hint = "" } = error;
		throw new DomainError(code, renameOptions(message, owner), {
			hint: renameOptions(hint, owner),
			origin: "upstream",
			cause: error,
		});
	}
}
