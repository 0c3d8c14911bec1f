import { omitUndefined, trimEndOf } from "@stemma/core/internal";
import type { StemmaClient } from "../client";
import { runWithTimeout } from "../http/call-timeout";
import { connectServer, createTokenCredential, type ServerConnection } from "../http/connect-server";
import { path } from "../http/path";
import type { CallOptions } from "../options/call-options";
import { rejectOption } from "../options/client-options";
import { type A2aClient, createClientForAgent } from "./a2a-client";
import type { AgentOptions, Route } from "./agent-calls";
import { createCardCache } from "./agent-card";
import { type A2aBinding, type InterfaceRules, readOrigin, usesBinding } from "./choose-interface";
import { A2A_VERSION, type A2aAgentCard } from "./wire";

/** Options to reach an A2A agent. */
export interface A2aConnection extends ServerConnection {
	/** The agent's base address: its card is at `/.well-known/agent-card.json` under it. Or the card's own, ending in `.json`. */
	readonly url: string;
	/**
	 * Origins besides that of `url` that the agent's card may send messages and credentials to: `https://api.example`.
	 * Default: none.
	 */
	readonly allowedOrigins?: readonly string[] | undefined;
	/** Default: that of the first interface in the agent's card that can be used. */
	readonly binding?: A2aBinding | undefined;
	/** Default: what the card says. */
	readonly tenant?: string | undefined;
	/** URIs of the extensions that requests ask for. */
	readonly extensions?: readonly string[] | undefined;
	/** The longest answer, event, and task with all its artifacts, in characters. Default 16 Mi. */
	readonly maxResultBytes?: number | undefined;
}

const DEFAULT_MAX_SIZE = 2 ** 24;
const CARD_PATH = "/.well-known/agent-card.json";

/**
 * A client of an A2A agent. Sends nothing until something is asked; then reads the agent's card, and nothing else that it
 * names but the one address that is spoken to.
 *
 * @throws ConfigurationError for options that cannot be: it names them.
 */
export function createA2aClient(options: A2aConnection): A2aClient {
	const {
		url,
		binding,
		extensions = [],
		maxResultBytes = DEFAULT_MAX_SIZE,
		token,
		logger,
		...connection
	} = options;
	// One for the card and for all calls: whatever the token was, it is in no error.
	const credential = createTokenCredential(token);
	const redactText = (text: string): string => client.redact({ text }).text;
	const connect = (url: string): StemmaClient =>
		connectServer(
			{
				...connection,
				url,
				// Ids of tasks are in paths, and an agent makes them of whatever it likes.
				logger: logger && {
					debug: (line) => logger.debug(redactText(line)),
					warn: (line) => logger.warn(redactText(line)),
				},
			},
			{ forServer: () => credential },
		);
	const client = connect(toCardUrl(url));
	const headers = { "a2a-version": A2A_VERSION, "a2a-extensions": extensions.join(",") || undefined };
	const rules: InterfaceRules = {
		origin: readOrigin(url) ?? "",
		allowedOrigins: (options.allowedOrigins ?? []).map((origin) => readOrigin(origin) ?? rejectOrigin()),
		bindings: binding ? [binding] : ["JSONRPC", "HTTP+JSON"],
	};
	const cards = createCardCache(client, "", { headers, maxSize: maxResultBytes });

	function getCard({ signal, timeouts }: CallOptions = {}): Promise<A2aAgentCard> {
		const { timeoutMs } = { ...client.timeouts, ...timeouts };
		return runWithTimeout(omitUndefined({ timeoutMs }), signal, (limit) => limit.wait(cards.get()));
	}

	async function route(call: CallOptions | undefined): Promise<Route> {
		const card = await getCard(call);
		const { getInterface, httpJson, jsonRpc } = await import("./lazy-parts");
		const selected = getInterface(card, rules, client);
		const isJsonRpc = usesBinding(selected, "JSONRPC");
		return {
			client: connect(isJsonRpc ? selected.url : selected.url.replace(/\/$/, "")),
			path: "",
			bind: isJsonRpc ? jsonRpc : httpJson,
			tenant: options.tenant ?? selected.tenant,
			canStream: card.capabilities.streaming === true,
		};
	}

	return createClientForAgent(
		{ client, headers, maxSize: maxResultBytes, route },
		{ ...cards, get: getCard },
	);
}

const rejectOrigin = (): never =>
	rejectOption("allowedOrigins", "has an entry that is not an origin", "Pass ones like https://api.example.");

/** Returns the address of the card under a base address. The query stays at the end. */
function toCardUrl(url: string): string {
	if (/\.json(\?|$)/i.test(url)) return url;
	const path = url.split("?", 1).join();
	return `${trimEndOf(path, "/")}${CARD_PATH}${url.slice(path.length)}`;
}

/** The client of an agent: `agent` is an id or a slug of the service, or the `https://` address of any other. */
export type A2a = (agent: string) => A2aClient;

/**
 * A2A agents: those of the service, with its client's credential; any other by its address, without. For agents that want
 * a credential of their own, see `createA2aClient`.
 */
export function a2a(client: StemmaClient): A2a {
	return (agent) => {
		if (/^https?:\/\//i.test(agent)) {
			const { timeouts, maxRetries, retryDelayMs, logger } = client;
			return createA2aClient({ url: agent, timeouts, maxRetries, retryDelayMs, logger });
		}
		const headers = { "a2a-version": A2A_VERSION };
		const endpoint: AgentOptions = {
			client,
			headers,
			maxSize: DEFAULT_MAX_SIZE,
			// Known without its card, which therefore leads nowhere.
			route: async () => ({
				client,
				path: path`/a2a/${agent}`,
				bind: (await import("./lazy-parts")).jsonRpc,
				canStream: true,
			}),
		};
		return createClientForAgent(
			endpoint,
			createCardCache(client, `${path`/a2a/${agent}`}${CARD_PATH}`, endpoint),
		);
	};
}
