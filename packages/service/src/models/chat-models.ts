import type { ChatModel } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import type { ResolvedModel, WorkspaceModels } from "@stemma/routing";
import { parseBedrockEndpoint } from "@stemma/routing/bedrock";
import type { CapabilityCache, FetchLike } from "@stemma/routing/openai-compatible";
import type { Secret } from "../encryption/secret";
import { DomainError } from "../errors/domain-error";
import { type AmbientCredentials, createAmbientCredentials } from "./ambient-aws/ambient-credentials";
import { createAmbientModel } from "./ambient-aws/ambient-model";
import { createChatModel, type ModelCredential } from "./create-model";
import type { ModelConfiguration } from "./deployment-models";
import { createModelCache, createTenantCaches } from "./model-cache";
import { describeForOwner, type SettingsOwner } from "./option-names";

/** The model settings of a workspace, opened for one call. */
export interface WorkspaceCredential {
	readonly workspaceId: string;
	/** Settings as they decide who answers: without the key. */
	readonly settings: WorkspaceModels;
	/** Left out where there is none, or where it cannot be opened. */
	readonly apiKey?: Secret | undefined;
	/** Another one whenever anything of them changes, the key included. Left out for what is not stored. */
	readonly version?: string | undefined;
}

/** Models that answer, made of resolved settings and kept with what they learn of their endpoints. */
export interface ChatModels {
	readonly capabilityCache: CapabilityCache;
	/** The model that the deployment pays for, or the built-in one. */
	forDeployment(resolved: ResolvedModel): ChatModel;
	/** The model that a workspace pays for. All such calls go to an address that the workspace chose. */
	forWorkspace(resolved: ResolvedModel, workspace: WorkspaceCredential): ChatModel;
	/** Drops the models of a workspace, and the keys in them. */
	evict(workspaceId: string): void;
}

export interface ModelsOptions {
	/** Fetch for addresses that a tenant chose. */
	readonly outbound: FetchLike;
	/** Fetch for the addresses of the configuration. Default: `fetch` of the platform. */
	readonly fetch?: FetchLike | undefined;
}

export function createChatModels(
	{ providers }: Pick<ModelConfiguration, "providers">,
	{ outbound, fetch }: ModelsOptions,
): ChatModels {
	const deployment = createModelCache();
	const { capabilityCache } = deployment;
	const tenants = createTenantCaches();
	const ambientCredentials = new Map<string | undefined, AmbientCredentials>();

	/** The credentials of the machine, for the deployment's own configuration alone. */
	function getAmbientCredentials(region: string | undefined): AmbientCredentials {
		const credentials = ambientCredentials.get(region) ?? createAmbientCredentials({ region });
		ambientCredentials.set(region, credentials);
		return credentials;
	}

	function createDeploymentModel(resolved: ResolvedModel): ChatModel {
		const { credential, base_url } = resolved;
		const create = (key: ModelCredential | undefined): ChatModel =>
			createChatModel(resolved, key, { fetch, capabilityCache });
		if (credential.kind === "machine")
			return createAmbientModel(getAmbientCredentials(parseBedrockEndpoint(base_url).region), create);
		return create(
			credential.kind === "deployment" ? providers[credential.name]?.credential?.reveal() : undefined,
		);
	}

	return {
		capabilityCache,
		forDeployment: (resolved) =>
			deployment.get("", toKey(resolved), () =>
				createModel(() => createDeploymentModel(resolved), "deployment"),
			),
		forWorkspace(resolved, { workspaceId, version, apiKey }) {
			const cache = tenants.get(workspaceId);
			const key = resolved.credential.kind === "workspace" ? apiKey?.reveal() : undefined;
			const connection = { fetch: outbound, capabilityCache: cache.capabilityCache };
			const build = (): ChatModel =>
				createModel(() => createChatModel(resolved, key, connection), "workspace");
			return version === undefined ? build() : cache.get(version, toKey(resolved), build);
		},
		evict: tenants.evict,
	};
}

const toKey = ({ provider, base_url, model, credential }: ResolvedModel): string =>
	JSON.stringify([provider, base_url, model, credential]);

/** Creates a model, or fails where its settings are no longer usable: temporary credentials expire. */
function createModel(build: () => ChatModel, owner: SettingsOwner): ChatModel {
	try {
		return build();
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		const { message, hint } = describeForOwner(error, owner);
		throw new DomainError(error.code, message, { hint, origin: "upstream", cause: error });
	}
}
