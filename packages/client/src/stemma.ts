import { type AccessToken, type AuthorizedFetch, accessToken, authorizedFetch } from "./access-to-service";
import { type Agents, agents } from "./agents";
import { type Ask, ask } from "./ask";
import { type Audit, audit } from "./audit";
import { type ChatCompletions, chatCompletions } from "./chat-completions";
import type { StemmaClient } from "./client";
import { type ClientKeys, clientKeys } from "./client-keys";
import { type Clients, clients } from "./clients";
import { createClient } from "./create-client";
import { type EmbeddingsApi, embeddings } from "./embeddings";
import { type Health, health } from "./health";
import { type Knowledge, knowledge } from "./knowledge";
import { type LlmSettingsApi, llmSettings } from "./llm-settings";
import type { ClientOptions } from "./options";
import { type Runs, runs } from "./runs";
import { type Search, search } from "./search";
import { type ReadUsage, usage } from "./usage";
import { type WorkspaceSecrets, workspaceSecrets } from "./workspace-secrets";
import { type Workspaces, workspaces } from "./workspaces";

/**
 * Everything of a service in one object. In a browser, prefer the functions that it is made of: only what is imported is
 * bundled then.
 */
export class Stemma {
	/** For functions over a client. */
	readonly client: StemmaClient;
	/** A valid access token, for clients of OpenAI's format that take one as their API key. */
	readonly accessToken: AccessToken;
	/** `fetch` with this client's credential, for clients of OpenAI's format. */
	readonly fetch: AuthorizedFetch;
	readonly agents: Agents;
	readonly runs: Runs;
	readonly ask: Ask;
	readonly search: Search;
	readonly knowledge: Knowledge;
	readonly chatCompletions: ChatCompletions;
	readonly embeddings: EmbeddingsApi;
	readonly llmSettings: LlmSettingsApi;
	readonly workspaceSecrets: WorkspaceSecrets;
	readonly clients: Clients;
	readonly clientKeys: ClientKeys;
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
		this.search = search(this.client);
		this.knowledge = knowledge(this.client);
		this.chatCompletions = chatCompletions(this.client);
		this.embeddings = embeddings(this.client);
		this.llmSettings = llmSettings(this.client);
		this.workspaceSecrets = workspaceSecrets(this.client);
		this.clients = clients(this.client);
		this.clientKeys = clientKeys(this.client);
		this.workspaces = workspaces(this.client);
		this.usage = usage(this.client);
		this.audit = audit(this.client);
		this.health = health(this.client);
	}
}
