import {
	agents,
	ask,
	type CallOptions,
	type ConnectionOptions,
	chatCompletions,
	runs,
	runtimeAgents,
	type StemmaClient,
	search,
} from "@stemma/client";
import type { RouteName } from "@stemma/simulators/hostile";
import { RUNTIME_TOKEN } from "./credentials";

/** One way to ask for something, up to its whole answer. */
export interface Call {
	readonly route: RouteName;
	start(client: StemmaClient, options?: CallOptions): PromiseLike<unknown>;
}

const QUESTION = { question: "How long?", knowledge_base_ids: ["kb_1"] };
const CHAT = { model: "default", messages: [{ role: "user" as const, content: "Hello?" }] };

/** What is answered whole, and sent again after any failure that may pass. */
export const REPEATABLE_CALLS: Readonly<Record<string, Call>> = {
	search: {
		route: "search",
		start: (client, options) => search(client)({ query: "q", knowledge_base_ids: ["kb_1"] }, options),
	},
	"agents.list": { route: "agents", start: (client, options) => agents(client).list({}, options) },
};

/** What may have been paid for: sent again only when it was refused. */
export const PAID_CALLS: Readonly<Record<string, Call>> = {
	ask: { route: "ask", start: (client, options) => ask(client)(QUESTION, options) },
	"chat.create": {
		route: "chat",
		start: (client, options) => chatCompletions(client).create(CHAT, options),
	},
	"chat.stream": {
		route: "chat",
		start: (client, options) => readAll(chatCompletions(client).stream(CHAT, options)),
	},
};

/** What begins a run. */
export const RUN_CALLS: Readonly<Record<string, Call>> = {
	"agents.run": { route: "run", start: (client, options) => agents(client).run("desk", INPUT, options) },
	"agents.stream": {
		route: "run",
		start: (client, options) => readAll(agents(client).stream("desk", INPUT, options)),
	},
	"runs.stream": {
		route: "events",
		start: (client, options) => readAll(runs(client).stream("run_1", options)),
	},
};

export const ALL_CALLS: Readonly<Record<string, Call>> = { ...REPEATABLE_CALLS, ...PAID_CALLS, ...RUN_CALLS };

export const INPUT = { input: "How long?" };

export const runtime = (connection: ConnectionOptions & { readonly baseUrl: string }) =>
	runtimeAgents({ token: RUNTIME_TOKEN, ...connection });

export async function readAll<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
	const events: Event[] = [];
	for await (const event of stream) events.push(event);
	return events;
}
