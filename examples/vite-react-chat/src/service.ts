import { type Agents, agents, createClient, type Runs, runs, type Threads, threads } from "@stemma/client";

/** What the page uses of the service; nothing else is bundled. */
export interface Service {
	readonly agents: Agents;
	readonly runs: Runs;
	readonly threads: Threads;
}

/** Whoever sees the page sees the key: it works from this origin alone, and may run this agent and no more. */
export function createService(clientKey: string): Service {
	const baseUrl = import.meta.env.VITE_STEMMA_BASE_URL ?? "http://127.0.0.1:4000";
	const client = createClient({ baseUrl, clientKey });
	return { agents: agents(client), runs: runs(client), threads: threads(client) };
}

export const AGENT = import.meta.env.VITE_STEMMA_AGENT ?? "shop-desk";

/** Values for `{{context.…}}` in the agent's instructions: this one names the customer. */
export const CONTEXT = { customer: "Ada" };
