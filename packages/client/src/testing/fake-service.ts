import type { Fetch } from "../http/platform";
import { addAgentRoutes } from "./agent-routes";
import { addAskRoute } from "./ask-route";
import { createFakeConnections } from "./fake-connections";
import { type FakeCall, type FakeRequest, isStream, readFakeRequest, readStream } from "./fake-request";
import { errorResponse, type FakeFailure, type FakeResponse, jsonResponse } from "./fake-response";
import { assertRoute, createFakeRoutes, matchRoute } from "./fake-routes";
import { formatThrown } from "./scripts/read-reply";
import type { AskScript, RouteScript, RunScript, SearchScript } from "./scripts/script";
import { createScriptQueue } from "./scripts/script-queue";
import { addSearchRoute } from "./search-route";
import { validateRequest } from "./validate-request";

/** Options of a scripted failure of the fake service. */
export interface FakeFailOptions {
	/** Route that fails: `POST /v1/ask`. Default: any. */
	readonly route?: string;
	/** Number of requests that fail. Default 1. */
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

/** Key of a queue that has only one list of scripts. */
const SINGLE_SCRIPT_KEY = "";

export function createFakeService({ now, isClientKey }: FakeServiceOptions): FakeService {
	const calls: FakeCall[] = [];
	const unscripted: FakeCall[] = [];
	const failures: PlannedFailure[] = [];
	const routes = createFakeRoutes();
	const connections = createFakeConnections();
	const runs = createScriptQueue<RunScript>();
	const asks = createScriptQueue<AskScript>();
	const searches = createScriptQueue<SearchScript>();

	function handleUnscripted({ call }: FakeRequest): FakeResponse {
		unscripted.push(call);
		return errorResponse({
			status: 501,
			code: "not_scripted",
			message: `The test has no script for ${call.method} ${call.path}.`,
			hint: `Add it: ${suggestScript(call)}`,
		});
	}

	function nextFailure({ method, path }: FakeCall): FakeFailure | undefined {
		const index = failures.findIndex(
			({ route }) => route === undefined || matchRoute(route, method, path) !== undefined,
		);
		const plannedFailure = failures[index];
		if (plannedFailure === undefined) return undefined;
		plannedFailure.times -= 1;
		if (plannedFailure.times <= 0) failures.splice(index, 1);
		return plannedFailure.failure;
	}

	async function respond(request: FakeRequest): Promise<FakeResponse> {
		const { method, path } = request.call;
		const failure = nextFailure(request.call) ?? validateRequest(request.call, isClientKey);
		if (failure !== undefined) return errorResponse(failure);
		const found = routes.find(method, path);
		if (found === undefined) return handleUnscripted(request);
		try {
			return await found.handler(request, found.params);
		} catch (error) {
			const message = `The script for ${method} ${path} threw: ${formatThrown(error)}`;
			return errorResponse({ status: 500, code: "script_failed", message });
		}
	}

	addAgentRoutes(routes, { nextScript: runs.next, handleUnscripted, isClientKey, now });
	addAskRoute(routes, { nextScript: () => asks.next(SINGLE_SCRIPT_KEY), handleUnscripted, isClientKey });
	addSearchRoute(routes, { nextScript: () => searches.next(SINGLE_SCRIPT_KEY), handleUnscripted });

	return {
		async fetch(url, init) {
			const { body } = init;
			const request = readFakeRequest(url, init, isStream(body) ? await readStream(body) : body);
			calls.push(request.call);
			const requestId = `req_${calls.length}`;
			return connections.toResponse(await respond(request), requestId, init.signal);
		},
		calls,
		unscripted,
		onAgent: runs.set,
		onAsk: (scripts) => asks.set(SINGLE_SCRIPT_KEY, scripts),
		onSearch: (scripts) => searches.set(SINGLE_SCRIPT_KEY, scripts),
		on: (route, script) =>
			routes.on(route, async ({ call }, params) =>
				jsonResponse(typeof script === "function" ? await script(call, params) : script),
			),
		fail(failure, { route, times = 1 } = {}) {
			if (route !== undefined) assertRoute(route);
			if (!(times >= 0)) throw new Error("`times` must be a number, 0 or more.");
			if (times > 0) failures.push({ failure, route, times });
		},
		drop: connections.drop,
	};
}

/** The line that a test lacks. */
function suggestScript({ method, path }: FakeCall): string {
	const params =
		matchRoute("POST /v1/agents/:agent/run", method, path) ?? matchRoute("POST /run/:agent", method, path);
	if (params !== undefined) return `fake.agents.on(${JSON.stringify(params.agent)}, { output: "…" })`;
	if (path === "/v1/ask") return 'fake.ask.on({ answer: "…" })';
	if (path === "/v1/search") return 'fake.search.on([{ text: "…" }])';
	return `fake.on("${method} ${path}", () => ({ … }))`;
}
