import { isJsonObject, trimEndOf, withoutUndefined } from "@stemma/core/internal";
import { createCallGuard } from "../call-guard";
import type { CallOptions } from "../call-options";
import type { StemmaClient } from "../client";
import { connectServer, type ServerConnection } from "../connect-server";
import { refuse } from "../options";
import { path } from "../path";
import { type A2aClient, createAgentClient } from "./a2a-client";
import { A2aError } from "./a2a-error";
import type { Agent, Route } from "./agent-calls";
import { createCardCache } from "./agent-card";
import {
	type A2aBinding,
	chooseInterface,
	type InterfaceRules,
	isBoundBy,
	isCurrent,
	isDowngrade,
	isInterface,
	readOrigin,
} from "./choose-interface";
import { jsonRpc } from "./json-rpc";
import type { A2A_VERSION, A2aAgentCard } from "./wire";

/** How to reach an A2A agent. */
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
/** Not the constant itself: what is only needed where something fails is loaded then. */
const VERSION: typeof A2A_VERSION = "1.0";

/**
 * A client of an A2A agent. Sends nothing until something is asked; then reads the agent's card, and nothing else that it
 * names but the one address that is spoken to.
 *
 * @throws ConfigurationError for options that cannot be: it names them.
 */
export function createA2aClient(options: A2aConnection): A2aClient {
	const { url, binding, extensions = [], maxResultBytes = DEFAULT_MAX_SIZE, token, logger } = options;
	let sent: string | undefined;
	const hide = (said: string): string => client.redact({ said }).said;
	const connect = (url: string): StemmaClient =>
		connectServer({
			...options,
			url,
			token: typeof token === "function" ? async () => (sent = await token()) : token,
			// Ids of tasks are in paths, and an agent makes them of whatever it likes.
			logger: logger && {
				debug: (line) => logger.debug(hide(line)),
				warn: (line) => logger.warn(hide(line)),
			},
		});
	const own = connect(toCardUrl(url));
	// The token may be another by now than the one that the card was asked for with.
	const client: StemmaClient = { ...own, redact: (json, ...more) => own.redact(json, sent, ...more) };
	const headers = { "a2a-version": VERSION, "a2a-extensions": extensions.join(",") || undefined };
	const rules: InterfaceRules = {
		origin: readOrigin(url) ?? "",
		allowedOrigins: (options.allowedOrigins ?? []).map((origin) => readOrigin(origin) ?? refuseOrigin()),
		bindings: binding ? [binding] : ["JSONRPC", "HTTP+JSON"],
	};
	const cards = createCardCache(client, "", { headers, maxSize: maxResultBytes });

	function getCard({ signal, timeouts }: CallOptions = {}): Promise<A2aAgentCard> {
		const { totalMs } = { ...client.timeouts, ...timeouts };
		const guard = createCallGuard(withoutUndefined({ totalMs }), signal);
		return guard.wait(cards.get()).finally(() => guard.end());
	}

	async function route(call: CallOptions | undefined): Promise<Route> {
		const card = await getCard(call);
		const chosen = chooseInterface(card, rules);
		if (chosen === undefined) throw await explainRefusal(card, rules, client);
		const isJsonRpc = isBoundBy(chosen, "JSONRPC");
		return {
			client: connect(isJsonRpc ? chosen.url : chosen.url.replace(/\/$/, "")),
			path: "",
			bind: isJsonRpc ? jsonRpc : await loadHttpJson(),
			tenant: options.tenant ?? chosen.tenant,
			canStream: card.capabilities.streaming === true,
		};
	}

	return createAgentClient({ client, headers, maxSize: maxResultBytes, route }, { ...cards, get: getCard });
}

const refuseOrigin = (): never =>
	refuse("allowedOrigins", "has something that is no origin", "Pass ones like https://api.example.");

/** Most cards are good. */
async function explainRefusal(
	card: A2aAgentCard,
	rules: InterfaceRules,
	{ redact }: StemmaClient,
): Promise<A2aError> {
	const { toCardRefusal } = await import("./card-refusal");
	return toCardRefusal(card, rules, { A2aError, isCurrent, isDowngrade, isInterface, readOrigin, redact });
}

/** Few agents need it. */
async function loadHttpJson() {
	const { createHttpJson } = await import("./http-json");
	return createHttpJson({ isJsonObject, refuse });
}

/** Its query stays behind. */
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
		const headers = { "a2a-version": VERSION };
		const own: Agent = {
			client,
			headers,
			maxSize: DEFAULT_MAX_SIZE,
			// Known without its card, which therefore leads nowhere.
			route: async () => ({
				client,
				path: path`/a2a/${agent}`,
				bind: jsonRpc,
				canStream: true,
			}),
		};
		return createAgentClient(own, createCardCache(client, `${path`/a2a/${agent}`}${CARD_PATH}`, own));
	};
}
