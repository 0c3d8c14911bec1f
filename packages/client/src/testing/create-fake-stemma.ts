import type { StemmaClient } from "../client";
import type { Fetch } from "../http/platform";
import type { Timeouts } from "../options/call-options";
import type { Logger } from "../options/client-options";
import { Stemma } from "../stemma";
import type { FakeCall } from "./fake-request";
import type { FakeFailure } from "./fake-response";
import { type FakeFailOptions, FakeService } from "./fake-service";
import type { AskScript, RouteScript, RunScript, SearchScript } from "./scripts/script";

/** Options of the fake: its scripts and its credential. Everything can be added later as well. */
export interface FakeStemmaOptions {
	/** Scripts of agents, by the id or slug that the app asks for. */
	readonly agents?: Readonly<Record<string, RunScript>>;
	readonly ask?: AskScript;
	readonly search?: SearchScript;
	/** `{ "GET /v1/knowledge-bases": { data: [], has_more: false, next: null } }` */
	readonly routes?: Readonly<Record<string, RouteScript>>;
	/**
	 * Credential of the app. A client key sees only the answer of a run, without who pays and what happened inside, and
	 * reaches runs by their token. Default `client_secret`, which sees everything.
	 */
	readonly credential?: "client_secret" | "client_key";
	/**
	 * Number of retries. Default 0, so that the app sees each failure that a test scripts. Retries do not wait, except for
	 * `retryAfter`.
	 */
	readonly maxRetries?: number;
	readonly timeouts?: Partial<Timeouts>;
	readonly logger?: Logger;
	/** Epoch milliseconds, for times in events. Default: the clock. */
	readonly now?: () => number;
}

/** A client without a server: it streams, fails, rejoins and cancels as it does with a service. */
export interface FakeStemma {
	readonly stemma: Stemma;
	/** Client to pass to functions: `agents(fake.client)`. */
	readonly client: StemmaClient;
	/** Fetch function for clients of your own, and for `runtimeAgents`: `{ fetch: fake.fetch }`. */
	readonly fetch: Fetch;
	/** Requests so far, in order, retries and rejoins included. */
	readonly calls: readonly FakeCall[];
	/** Requests without a script: expect the list to be empty. */
	readonly unscripted: readonly FakeCall[];
	readonly agents: {
		/**
		 * Sets what runs of an agent do, by the id or slug that the app asks for; of several scripts the last one is
		 * repeated.
		 */
		on(agent: string, ...scripts: readonly [RunScript, ...RunScript[]]): void;
	};
	readonly ask: {
		/** Sets the answers to questions; of several scripts the last one is repeated. */
		on(...scripts: readonly [AskScript, ...AskScript[]]): void;
	};
	readonly search: {
		/** Sets the results of searches; of several scripts the last one is repeated. */
		on(...scripts: readonly [SearchScript, ...SearchScript[]]): void;
	};
	/** Answers any other route, `GET /v1/knowledge-bases/:id` say, from now on. */
	on(route: string, script: RouteScript): void;
	/** Fails the next request, as the service would say it, or without a connection: `{ network: true }`. */
	fail(failure: FakeFailure, options?: FakeFailOptions): void;
	/**
	 * Cuts the streams that are open; runs go on, and the client rejoins them. With `afterEvents`, or where no stream is
	 * open, cuts the next one, after so many events (1).
	 */
	drop(options?: { readonly afterEvents?: number }): void;
}

/** Address of the fake, which no request reaches. */
const BASE_URL = "https://fake.stemma.test";

/**
 * A fake service behind a real client, for tests of apps: in Node, jsdom, browsers and React Native's Jest, without a
 * network and without waiting. Requests that nothing was scripted for fail with what to add.
 */
export function createFakeStemma(options: FakeStemmaOptions = {}): FakeStemma {
	const { maxRetries = 0, timeouts, logger, now = Date.now, credential = "client_secret" } = options;
	const service = new FakeService({ now: () => now(), isClientKey: credential === "client_key" });
	const stemma = new Stemma({
		// A secret would be refused in browsers; what the app may do is up to the fake service.
		clientKey: "ck_fake_fake",
		baseUrl: BASE_URL,
		fetch: service.fetch,
		maxRetries,
		retryDelayMs: 0,
		timeouts,
		logger,
	});
	for (const [agent, script] of Object.entries(options.agents ?? {})) service.onAgent(agent, [script]);
	if (options.ask !== undefined) service.asks.set([options.ask]);
	if (options.search !== undefined) service.searches.set([options.search]);
	for (const [route, script] of Object.entries(options.routes ?? {})) service.on(route, script);
	return {
		stemma,
		client: stemma.client,
		fetch: service.fetch,
		calls: service.calls,
		unscripted: service.unscripted,
		agents: { on: (agent, ...scripts) => service.onAgent(agent, scripts) },
		ask: { on: (...scripts) => service.asks.set(scripts) },
		search: { on: (...scripts) => service.searches.set(scripts) },
		on: service.on,
		fail: service.fail,
		drop: ({ afterEvents } = {}) => service.connections.drop(afterEvents),
	};
}
