import { isLoopbackAddress } from "@stemma/protocol";
import type { TokenLimits } from "../auth/budgets/token-limits";
import { createLoginThrottle } from "../auth/login-throttle";
import type { RateLimiter } from "../auth/rate-limiter";
import type { SharedRates } from "../auth/shared-rates";
import type { AccessTokens } from "../auth/tokens/access-tokens";
import type { Configuration } from "../configuration/configuration";
import type { ServiceApp } from "../http/service-context";
import type { PeopleStore } from "../people/sessions";
import { listSettingsWarnings } from "../settings/ignored-settings";
import type { DiskSpace } from "../storage/disk-space";
import type { Stores } from "../workspaces/stores";
import { listUnavailableWarnings } from "../workspaces/unavailable-workspace";
import type { WorkspaceRegistry } from "../workspaces/workspace-registry";
import { addA2aRoutes } from "./a2a";
import { addAgUiRoute } from "./agents/ag-ui";
import { addAgentVersionRoutes } from "./agents/agent-versions";
import { addAgentRoutes } from "./agents/agents";
import { addApprovalRoute } from "./agents/approvals";
import { addChatRoutes } from "./agents/chat";
import { addFeedbackRoutes } from "./agents/feedback";
import { addRunAgentRoute } from "./agents/run-agent";
import { addRunShareRoutes } from "./agents/run-shares";
import { addRunRoutes } from "./agents/runs";
import { addSharedRunRoute } from "./agents/shared-runs";
import { addApiReferenceRoutes } from "./api-reference";
import { addClientKeyRoutes } from "./auth/client-keys";
import { addClientRoutes } from "./auth/clients";
import { addAuthorizeRoute } from "./auth/oauth-authorize";
import { addOAuthMetadataRoutes } from "./auth/oauth-metadata";
import { addRegistrationRoute } from "./auth/oauth-register";
import { addRevocationRoute } from "./auth/oauth-revoke";
import { addTokenRoute } from "./auth/oauth-token";
import { addRetrievalRoute } from "./dify/retrieval";
import { addHealthRoutes } from "./health";
import { addAskRoute } from "./knowledge/ask";
import { addCitedDocumentRoutes } from "./knowledge/cited-documents";
import { addDocumentContentRoutes } from "./knowledge/document-contents";
import { addDocumentRoutes } from "./knowledge/documents";
import { addKnowledgeBaseRoutes } from "./knowledge/knowledge-bases";
import { addReindexRoutes } from "./knowledge/reindex";
import { addSearchRoutes } from "./knowledge/search";
import { addSourceRoutes } from "./knowledge/sources";
import { addMcpRoutes } from "./mcp";
import { addMetricsRoute } from "./metrics";
import { addChatCompletionsRoute } from "./models/chat-completions";
import { addEmbeddingsRoute } from "./models/embeddings";
import { addLlmSettingsRoutes } from "./models/llm-settings";
import { addMessageRoutes } from "./models/messages";
import { addModelRoutes } from "./models/models";
import { addResolveModelsRoute } from "./models/resolve-models";
import { addResponsesRoute } from "./models/responses";
import { addStoredResponseRoutes } from "./models/stored-responses";
import { addOpenWebUiFileRoutes } from "./open-webui/files";
import { addOpenWebUiKnowledgeRoutes } from "./open-webui/knowledge-sync";
import { addOpenApiRoute } from "./openapi";
import { addAuthorizationRoutes } from "./people/authorizations";
import { addInvitationRoutes } from "./people/invitations";
import { addIssuerLogoutRoute } from "./people/issuer-logout";
import { addIssuerSignInRoutes } from "./people/issuer-sign-in";
import { addMemberDataRoutes } from "./people/member-data";
import { addMemberRoutes } from "./people/members";
import { addPasskeySignInRoutes } from "./people/passkey-sign-in";
import { addPasskeyRoutes } from "./people/passkeys";
import { addSessionRoutes } from "./people/session";
import { addSessionWorkspaceRoutes } from "./people/session-workspaces";
import { addSessionListRoutes } from "./people/sessions";
import { addThreadMessageRoutes } from "./threads/messages";
import { addThreadRoutes } from "./threads/threads";
import { addWebRoutes } from "./web";
import { addAuditRoute } from "./workspace/audit";
import { addUsageRoute } from "./workspace/usage";
import { addWorkspaceSecretRoutes } from "./workspace/workspace-secrets";
import { addWorkspaceRoutes } from "./workspace/workspaces";

/** Parts that the routes need beside the kernel. */
export interface RoutesParts {
	readonly configuration: Pick<Configuration, "listen" | "metrics">;
	readonly stores: Stores;
	readonly disk: Pick<DiskSpace, "listWarnings">;
	/** Ids of the workspaces whose model settings are ignored. */
	readonly ignoredSettings: ReadonlySet<string>;
	readonly tokens: AccessTokens;
	readonly tokenLimits: TokenLimits;
	readonly rates: Pick<SharedRates, "open">;
	readonly registry: WorkspaceRegistry;
	isShuttingDown(): boolean;
}

export function addRoutes(
	app: ServiceApp,
	{
		configuration,
		stores,
		disk,
		ignoredSettings,
		tokens,
		tokenLimits,
		rates,
		registry,
		isShuttingDown,
	}: RoutesParts,
): void {
	const { workspaces } = stores;
	addHealthRoutes(app, {
		isShuttingDown,
		checkStore: () => checkStore(stores),
		hasAvailableWorkspace: () => workspaces.list().length > 0 || workspaces.listUnavailable().length === 0,
		listWarnings: () => [
			...listSettingsWarnings([...ignoredSettings].filter((id) => workspaces.find(id) !== undefined).length),
			...listUnavailableWarnings(workspaces.listUnavailable()),
			...disk.listWarnings(),
		],
	});
	const throttle = createLoginThrottle({ shared: rates.open("wrong_secrets") });
	const oauth = { repository: stores.deployment.authorizations, limits: tokenLimits };
	addTokenRoute(app, { ...oauth, tokens, throttle });
	addRevocationRoute(app, oauth);
	addRegistrationRoute(app, rates.open("registrations"));
	addAuthorizeRoute(app);
	addOAuthMetadataRoutes(app);
	addClientRoutes(app, stores.deployment.clients);
	addClientKeyRoutes(app, stores.deployment.clientKeys);
	addPeople(app, stores.deployment);
	addWorkspaceRoutes(app, registry, stores.deployment.members);
	addKnowledge(app);
	addAgents(app);
	addRunShareRoutes(app, stores.deployment.runShares);
	addSharedRunRoute(app, stores.deployment, {
		byAddress: rates.open("share_reads"),
		total: rates.open("share_reads_total"),
	});
	addAskRoute(app);
	addModels(app, rates.open("settings_tests"));
	addWorkspaceSecretRoutes(app);
	addUsageRoute(app);
	addAuditRoute(app, stores.deployment.audit);
	const isLocal = isLoopbackAddress(configuration.listen.host);
	addMcpRoutes(app, { isLocal });
	addWebRoutes(app);
	addOpenApiRoute(app);
	addApiReferenceRoutes(app);
	const access = { isLocal, token: configuration.metrics?.token };
	addMetricsRoute(app, access, stores.shared?.readDatabaseConnections);
}

/** Adds the routes of people: sign-in, sessions, passkeys, members, invitations and apps. */
function addPeople(app: ServiceApp, store: PeopleStore): void {
	addSessionRoutes(app, store);
	addSessionListRoutes(app, store);
	addSessionWorkspaceRoutes(app, store);
	addPasskeySignInRoutes(app, store);
	addPasskeyRoutes(app, store);
	addIssuerSignInRoutes(app, store);
	addIssuerLogoutRoute(app, store);
	addMemberRoutes(app, store);
	addMemberDataRoutes(app, store);
	addInvitationRoutes(app, store);
	addAuthorizationRoutes(app, store);
}

/** Adds the routes of knowledge bases, their documents, sources and searches. */
function addKnowledge(app: ServiceApp): void {
	addKnowledgeBaseRoutes(app);
	addDocumentRoutes(app);
	addDocumentContentRoutes(app);
	addCitedDocumentRoutes(app);
	addSourceRoutes(app);
	addReindexRoutes(app);
	addSearchRoutes(app);
	addRetrievalRoute(app);
	addOpenWebUiKnowledgeRoutes(app);
	addOpenWebUiFileRoutes(app);
}

/** Adds the routes of agents, runs and threads. */
function addAgents(app: ServiceApp): void {
	addAgentRoutes(app);
	addAgentVersionRoutes(app);
	addRunAgentRoute(app);
	addChatRoutes(app);
	addAgUiRoute(app);
	addRunRoutes(app);
	addApprovalRoute(app);
	addThreadRoutes(app);
	addThreadMessageRoutes(app);
	addFeedbackRoutes(app);
	addA2aRoutes(app);
}

/** Adds the routes of models and their settings. */
function addModels(app: ServiceApp, settingsTests: RateLimiter): void {
	addChatCompletionsRoute(app);
	addResponsesRoute(app);
	addStoredResponseRoutes(app);
	addMessageRoutes(app);
	addModelRoutes(app);
	addResolveModelsRoute(app);
	addEmbeddingsRoute(app);
	addLlmSettingsRoutes(app, settingsTests);
}

async function checkStore({ deployment }: Stores): Promise<void> {
	await deployment.workspaces.list({ limit: 1, after: undefined });
}
