import { BUILT_IN, type ChosenModel } from "./choose-model";
import { type CredentialReference, type Refused, reject } from "./resolution";
import type { DeploymentProvider, ResolutionInput, WorkspaceModels } from "./settings";

/** Endpoint of a call, and the credential it uses. */
export interface ChosenEndpoint {
	readonly payer: "workspace" | "deployment" | "none";
	readonly base_url: string;
	/** Default model, where none is named; may be empty or missing. */
	readonly model: string | undefined;
	readonly credential: CredentialReference;
	/** Models that a workspace may name here; undefined: any. */
	readonly allowed?: readonly string[];
}

/** The credential follows the provider: the workspace's where it is that of the workspace, else the deployment's. */
export function findEndpoint(chosen: ChosenModel, input: ResolutionInput): ChosenEndpoint | Refused {
	const { provider } = chosen;
	const { workspace, deployment } = input;
	if (provider === BUILT_IN) return BUILT_IN_ENDPOINT;
	if (workspace?.provider === provider) return findWorkspaceEndpoint(workspace);
	if (provider === "bedrock" && chosen.isProviderNamed) return rejectMissingCredential(provider);
	const entries = listEntries(input).filter(({ entry }) => entry.provider === provider);
	const chat = entries.find(({ name }) => name === deployment.chat);
	if (chat !== undefined && !chosen.isProviderNamed) return findChatEndpoint(chat, input);
	const usable = entries.filter(({ entry }) => chosen.isProviderNamed && isUsable(entry));
	const found = usable.find(({ entry }) => isAllowed(entry, chosen.model)) ?? usable[0];
	if (found !== undefined) return toEndpoint(found);
	return reject(
		"provider_not_configured",
		`Neither the workspace nor the deployment has a provider "${provider}" with a credential.`,
	);
}

const BUILT_IN_ENDPOINT: ChosenEndpoint = {
	payer: "none",
	base_url: "",
	model: BUILT_IN,
	credential: { kind: "none" },
	allowed: [BUILT_IN],
};

function findWorkspaceEndpoint(workspace: WorkspaceModels): ChosenEndpoint | Refused {
	const { provider, base_url, model, has_api_key, status } = workspace;
	if (!has_api_key)
		return provider === KEYLESS_FORMAT
			? { payer: "workspace", base_url, model, credential: { kind: "none" } }
			: rejectMissingCredential(provider);
	return status === "undecryptable"
		? rejectUndecryptable()
		: { payer: "workspace", base_url, model, credential: { kind: "workspace" } };
}

/**
 * The endpoint of the deployment's `chat`, where no provider is named. The credentials of the machine sign for it too,
 * with the operator's leave: for the configured model, and for those that the operator lists for this entry.
 */
function findChatEndpoint(chat: Entry, { deployment }: ResolutionInput): ChosenEndpoint | Refused {
	const isAmbient = chat.entry.credential === "ambient";
	if (isAmbient ? deployment.aws?.allowAmbientCredentials : isUsable(chat.entry)) return toEndpoint(chat);
	return reject(
		"provider_not_configured",
		`The deployment's provider "${chat.name}" has no credential, and may not use the machine's.`,
	);
}

interface Entry {
	readonly name: string;
	readonly entry: DeploymentProvider;
}

/** The one that answers first, then in the order of the configuration. */
const listEntries = ({ deployment: { providers, chat } }: ResolutionInput): Entry[] =>
	Object.entries(providers)
		.map(([name, entry]) => ({ name, entry }))
		.sort((one, other) => Number(other.name === chat) - Number(one.name === chat));

/** Servers of one's own ask for no key; the vendors' formats do. */
const KEYLESS_FORMAT = "openai-compatible";

const isUsable = ({ provider, credential }: DeploymentProvider): boolean =>
	credential === "explicit" || (credential === "none" && provider === KEYLESS_FORMAT);

const isAllowed = (entry: DeploymentProvider, model: string | undefined): boolean =>
	model === undefined || listAllowed(entry).includes(model);

const listAllowed = ({ default_model, allowed_models = [] }: DeploymentProvider): string[] => [
	...new Set([...(default_model === undefined ? [] : [default_model]), ...allowed_models]),
];

function toEndpoint({ name, entry }: Entry): ChosenEndpoint {
	const { base_url, default_model: model, credential } = entry;
	return {
		payer: "deployment",
		base_url,
		model,
		credential:
			credential === "none"
				? { kind: "none" }
				: { kind: credential === "ambient" ? "machine" : "deployment", name },
		allowed: listAllowed(entry),
	};
}

const rejectMissingCredential = (provider: string): Refused =>
	reject(
		"credential_required",
		`The provider "${provider}" is called only with the workspace's own credential, and the workspace has set none.`,
	);

export const rejectUndecryptable = (): Refused =>
	reject(
		"credential_undecryptable",
		"The workspace's key cannot be decrypted, and no one else pays in its place.",
	);
