import {
	type AccessToken,
	type AuthorizedFetch,
	accessToken,
	authorizedFetch,
} from "./auth/authorized-fetch";
import type { StemmaClient } from "./client";
import { createClient } from "./create-client";
import type { ClientOptions } from "./options/client-options";
import { type Agents, agents } from "./resources/agents";
import { type ApiClients, apiClients } from "./resources/api-clients";
import { type Ask, ask } from "./resources/ask";
import { type Audit, audit } from "./resources/audit";
import { type ClientKeys, clientKeys } from "./resources/client-keys";
import { type FeedbackApi, feedback } from "./resources/feedback";
import { type Health, health } from "./resources/health";
import { type Knowledge, knowledge } from "./resources/knowledge/knowledge";
import { type Search, search } from "./resources/knowledge/search";
import { type ChatCompletions, chatCompletions } from "./resources/models/chat-completions";
import { type EmbeddingsApi, embeddings } from "./resources/models/embeddings";
import { type LlmSettingsApi, llmSettings } from "./resources/models/llm-settings";
import { type Authorizations, authorizations } from "./resources/people/authorizations";
import { type Invitations, invitations } from "./resources/people/invitations";
import { type Members, members } from "./resources/people/members";
import { type Session, session } from "./resources/people/session";
import { type Runs, runs } from "./resources/runs";
import { type Threads, threads } from "./resources/threads";
import { type ReadUsage, usage } from "./resources/usage";
import { type WorkspaceSecrets, workspaceSecrets } from "./resources/workspace-secrets";
import { type Workspaces, workspaces } from "./resources/workspaces";

/**
 * All resources of a service in one object. In a browser, prefer the functions that it is made of: only what is
 * imported is bundled then.
 */
export class Stemma {
	/** Client to pass to functions: `agents(stemma.client)`. */
	readonly client: StemmaClient;
	/** A valid access token, for clients of OpenAI's format that take one as their API key. */
	readonly accessToken: AccessToken;
	/** `fetch` with this client's credential, for clients of OpenAI's format. */
	readonly fetch: AuthorizedFetch;
	readonly agents: Agents;
	readonly runs: Runs;
	readonly ask: Ask;
	readonly threads: Threads;
	readonly feedback: FeedbackApi;
	readonly search: Search;
	readonly knowledge: Knowledge;
	readonly chatCompletions: ChatCompletions;
	readonly embeddings: EmbeddingsApi;
	readonly llmSettings: LlmSettingsApi;
	readonly workspaceSecrets: WorkspaceSecrets;
	readonly apiClients: ApiClients;
	readonly clientKeys: ClientKeys;
	readonly session: Session;
	/** Access that people give to apps, by OAuth. */
	readonly authorizations: Authorizations;
	readonly members: Members;
	readonly invitations: Invitations;
	readonly workspaces: Workspaces;
	readonly usage: ReadUsage;
	readonly audit: Audit;
	readonly health: Health;

	/** @throws ConfigurationError for options that cannot be: it names the fields. */
	constructor(options: ClientOptions) {
		this.client = createClient(options);
		this.accessToken = accessToken(this.client);
		this.fetch = authorizedFetch(this.client);
		this.agents = agents(this.client);
		this.runs = runs(this.client);
		this.ask = ask(this.client);
		this.threads = threads(this.client);
		this.feedback = feedback(this.client);
		this.search = search(this.client);
		this.knowledge = knowledge(this.client);
		this.chatCompletions = chatCompletions(this.client);
		this.embeddings = embeddings(this.client);
		this.llmSettings = llmSettings(this.client);
		this.workspaceSecrets = workspaceSecrets(this.client);
		this.apiClients = apiClients(this.client);
		this.clientKeys = clientKeys(this.client);
		this.session = session(this.client);
		this.authorizations = authorizations(this.client);
		this.members = members(this.client);
		this.invitations = invitations(this.client);
		this.workspaces = workspaces(this.client);
		this.usage = usage(this.client);
		this.audit = audit(this.client);
		this.health = health(this.client);
	}
}
