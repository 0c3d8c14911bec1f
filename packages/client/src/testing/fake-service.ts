import type { Fetch } from "../http/platform";
import { addAgentRoutes } from "./agent-routes";
import { addAskRoute } from "./ask-route";
import { FakeConnections } from "./fake-connections";
import { type FakeCall, type FakeRequest, isStream, readFakeRequest, readStream } from "./fake-request";
import { errorResponse, type FakeFailure, type FakeResponse, jsonResponse } from "./fake-response";
import { assertRoute, FakeRoutes, matchRoute } from "./fake-routes";
import { FakeThreads } from "./fake-threads";
import { addFeedbackRoutes } from "./feedback-routes";
import { formatThrown } from "./scripts/read-reply";
import type { AskScript, RouteScript, RunScript, SearchScript } from "./scripts/script";
import { ScriptQueue } from "./scripts/script-queue";
import { addSearchRoute } from "./search-route";
import { validateRequest } from "./validate-request";

/** Options of a scripted failure of the fake service. */
export interface FakeFailOptions {
	/** Route that fails: `POST /v1/ask`. Default: any. */
	readonly route?: string;
	/** Number of requests that fail. Default 1. */
	readonly times?: number;
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

/** The other end of the fake `fetch`. */
export class FakeService {
	readonly calls: FakeCall[] = [];
	readonly unscripted: FakeCall[] = [];
	readonly asks = new ScriptQueue<AskScript>();
	readonly searches = new ScriptQueue<SearchScript>();
	readonly connections = new FakeConnections();
	readonly #agents = new Map<string, ScriptQueue<RunScript>>();
	readonly #failures: PlannedFailure[] = [];
	readonly #routes = new FakeRoutes();
	readonly #isClientKey: boolean;

	constructor({ now, isClientKey }: FakeServiceOptions) {
		this.#isClientKey = isClientKey;
		const handleUnscripted = ({ call }: FakeRequest): FakeResponse => this.#handleUnscripted(call);
		const nextScript = (agent: string): RunScript | undefined => this.#agents.get(agent)?.next();
		const threads = new FakeThreads({ isClientKey, now });
		threads.addRoutes(this.#routes);
		addAgentRoutes(this.#routes, { nextScript, handleUnscripted, isClientKey, now, threads });
		addAskRoute(this.#routes, { scripts: this.asks, handleUnscripted, isClientKey, threads });
		addFeedbackRoutes(this.#routes, now);
		addSearchRoute(this.#routes, { scripts: this.searches, handleUnscripted, isClientKey });
	}

	readonly fetch: Fetch = async (url, init) => {
		const { body } = init;
		const request = readFakeRequest(url, init, isStream(body) ? await readStream(body) : body);
		this.calls.push(request.call);
		const requestId = `req_${this.calls.length}`;
		return this.connections.toResponse(await this.#respond(request), requestId, init.signal);
	};

	onAgent(agent: string, scripts: readonly RunScript[]): void {
		const queue = this.#agents.get(agent) ?? new ScriptQueue();
		queue.set(scripts);
		this.#agents.set(agent, queue);
	}

	readonly on = (route: string, script: RouteScript): void =>
		this.#routes.on(route, async ({ call }, params) =>
			jsonResponse(typeof script === "function" ? await script(call, params) : script),
		);

	readonly fail = (failure: FakeFailure, { route, times = 1 }: FakeFailOptions = {}): void => {
		if (route !== undefined) assertRoute(route);
		if (!(times >= 0)) throw new Error("`times` must be a number, 0 or more.");
		if (times > 0) this.#failures.push({ failure, route, times });
	};

	async #respond(request: FakeRequest): Promise<FakeResponse> {
		const { call } = request;
		const failure = this.#nextFailure(call) ?? validateRequest(call, this.#isClientKey);
		if (failure !== undefined) return errorResponse(failure);
		try {
			return (await this.#routes.handle(request)) ?? this.#handleUnscripted(call);
		} catch (error) {
			const message = `The script for ${call.method} ${call.path} threw: ${formatThrown(error)}`;
			return errorResponse({ status: 500, code: "script_failed", message });
		}
	}

	#nextFailure({ method, path }: FakeCall): FakeFailure | undefined {
		const index = this.#failures.findIndex(
			({ route }) => route === undefined || matchRoute(route, method, path) !== undefined,
		);
		const planned = this.#failures[index];
		if (planned === undefined) return undefined;
		planned.times -= 1;
		if (planned.times <= 0) this.#failures.splice(index, 1);
		return planned.failure;
	}

	#handleUnscripted(call: FakeCall): FakeResponse {
		this.unscripted.push(call);
		return errorResponse({
			status: 501,
			code: "not_scripted",
			message: `The test has no script for ${call.method} ${call.path}.`,
			hint: `Add it: ${suggestScript(call)}`,
		});
	}
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
