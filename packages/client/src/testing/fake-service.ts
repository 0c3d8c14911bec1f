import type { Fetch } from "../platform";
import { addAgentRoutes } from "./agent-routes";
import { addAskRoute } from "./ask-route";
import { answerFailure, answerJson, type FakeAnswer, type FakeFailure } from "./fake-answer";
import { createFakeConnections } from "./fake-connections";
import { type FakeCall, type FakeRequest, isStream, readFakeRequest, readStream } from "./fake-request";
import { createFakeRoutes, demandRoute, matchRoute } from "./fake-routes";
import { sayThrown } from "./read-reply";
import { refuseRequest } from "./refuse-request";
import type { AskScript, RouteScript, RunScript, SearchScript } from "./script";
import { createScripts } from "./scripts";
import { addSearchRoute } from "./search-route";

export interface FakeFailOptions {
	/** Only requests to this: `POST /v1/ask`. Default: any. */
	readonly route?: string;
	/** How many requests. Default 1. */
	readonly times?: number;
}

/** The other end of the fake `fetch`. */
export interface FakeService {
	readonly fetch: Fetch;
	readonly calls: readonly FakeCall[];
	readonly unscripted: readonly FakeCall[];
	onAgent(agent: string, scripts: readonly RunScript[]): void;
	onAsk(scripts: readonly AskScript[]): void;
	onSearch(scripts: readonly SearchScript[]): void;
	on(route: string, script: RouteScript): void;
	fail(failure: FakeFailure, options?: FakeFailOptions): void;
	drop(afterEvents?: number): void;
}

export interface FakeServiceOptions {
	readonly now: () => number;
	readonly isClientKey: boolean;
}

interface PlannedFailure {
	readonly failure: FakeFailure;
	readonly route: string | undefined;
	times: number;
}

/** There is one of these. */
const ONLY = "";

export function createFakeService({ now, isClientKey }: FakeServiceOptions): FakeService {
	const calls: FakeCall[] = [];
	const unscripted: FakeCall[] = [];
	const failures: PlannedFailure[] = [];
	const routes = createFakeRoutes();
	const connections = createFakeConnections();
	const runs = createScripts<RunScript>();
	const asks = createScripts<AskScript>();
	const searches = createScripts<SearchScript>();

	function answerUnscripted({ call }: FakeRequest): FakeAnswer {
		unscripted.push(call);
		return answerFailure({
			status: 501,
			code: "not_scripted",
			message: `The test has no script for ${call.method} ${call.path}.`,
			hint: `Add it: ${suggest(call)}`,
		});
	}

	function takeFailure({ method, path }: FakeCall): FakeFailure | undefined {
		const index = failures.findIndex(
			({ route }) => route === undefined || matchRoute(route, method, path) !== undefined,
		);
		const planned = failures[index];
		if (planned === undefined) return undefined;
		planned.times -= 1;
		if (planned.times <= 0) failures.splice(index, 1);
		return planned.failure;
	}

	async function answer(request: FakeRequest): Promise<FakeAnswer> {
		const { method, path } = request.call;
		const failure = takeFailure(request.call) ?? refuseRequest(request.call, isClientKey);
		if (failure !== undefined) return answerFailure(failure);
		const found = routes.find(method, path);
		if (found === undefined) return answerUnscripted(request);
		try {
			return await found.answer(request, found.names);
		} catch (error) {
			const message = `The script for ${method} ${path} threw: ${sayThrown(error)}`;
			return answerFailure({ status: 500, code: "script_failed", message });
		}
	}

	addAgentRoutes(routes, { takeScript: runs.take, answerUnscripted, isClientKey, now });
	addAskRoute(routes, { takeScript: () => asks.take(ONLY), answerUnscripted, isClientKey });
	addSearchRoute(routes, { takeScript: () => searches.take(ONLY), answerUnscripted });

	return {
		async fetch(url, init) {
			const { body } = init;
			const request = readFakeRequest(url, init, isStream(body) ? await readStream(body) : body);
			calls.push(request.call);
			const requestId = `req_${calls.length}`;
			return connections.toResponse(await answer(request), requestId, init.signal);
		},
		calls,
		unscripted,
		onAgent: runs.set,
		onAsk: (scripts) => asks.set(ONLY, scripts),
		onSearch: (scripts) => searches.set(ONLY, scripts),
		on: (route, script) =>
			routes.on(route, async ({ call }, names) =>
				answerJson(typeof script === "function" ? await script(call, names) : script),
			),
		fail(failure, { route, times = 1 } = {}) {
			if (route !== undefined) demandRoute(route);
			if (!(times >= 0)) throw new Error("`times` must be a number, 0 or more.");
			if (times > 0) failures.push({ failure, route, times });
		},
		drop: connections.drop,
	};
}

/** The line that a test lacks. */
function suggest({ method, path }: FakeCall): string {
	const names =
		matchRoute("POST /v1/agents/:agent/run", method, path) ?? matchRoute("POST /run/:agent", method, path);
	if (names !== undefined) return `fake.agents.on(${JSON.stringify(names.agent)}, { output: "…" })`;
	if (path === "/v1/ask") return 'fake.ask.on({ answer: "…" })';
	if (path === "/v1/search") return 'fake.search.on([{ text: "…" }])';
	return `fake.on("${method} ${path}", () => ({ … }))`;
}
