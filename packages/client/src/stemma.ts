import { type Agents, agents } from "./agents";
import { type Ask, ask } from "./ask";
import { type ChatCompletions, chatCompletions } from "./chat-completions";
import type { StemmaClient } from "./client";
import { type ClientKeys, clientKeys } from "./client-keys";
import { type Clients, clients } from "./clients";
import { createClient } from "./create-client";
import { type Knowledge, knowledge } from "./knowledge";
import type { ClientOptions } from "./options";
import { type Runs, runs } from "./runs";
import { type Search, search } from "./search";

/**
 * Everything of a service in one object. In a browser, prefer the functions that it is made of: only what is imported is
 * bundled then.
 */
export class Stemma {
	/** For functions over a client. */
	readonly client: StemmaClient;
	readonly agents: Agents;
	readonly runs: Runs;
	readonly ask: Ask;
	readonly search: Search;
	readonly knowledge: Knowledge;
	readonly chatCompletions: ChatCompletions;
	readonly clients: Clients;
	readonly clientKeys: ClientKeys;

	/** @throws ConfigurationError for options that cannot be: it names the fields. */
	constructor(options: ClientOptions) {
		this.client = createClient(options);
		this.agents = agents(this.client);
		this.runs = runs(this.client);
		this.ask = ask(this.client);
		this.search = search(this.client);
		this.knowledge = knowledge(this.client);
		this.chatCompletions = chatCompletions(this.client);
		this.clients = clients(this.client);
		this.clientKeys = clientKeys(this.client);
	}
}
