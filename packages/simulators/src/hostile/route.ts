/** The routes of a service and of a runtime that a client speaks to. */
export type RouteName =
	| "token"
	| "run"
	| "record"
	| "events"
	| "cancel"
	| "ask"
	| "search"
	| "chat"
	| "agents"
	| "health";

const ROUTES: readonly (readonly [RouteName, RegExp])[] = [
	["token", /^POST \/oauth\/token$/],
	["run", /^POST (\/v1\/agents\/[^/]+\/run|\/run\/[^/]+)$/],
	["record", /^GET (\/v1)?\/runs\/([^/]+)$/],
	["events", /^GET (\/v1)?\/runs\/([^/]+)\/events$/],
	["cancel", /^POST (\/v1)?\/runs\/([^/]+)\/cancel$/],
	["ask", /^POST \/v1\/ask$/],
	["search", /^POST \/v1\/search$/],
	["chat", /^POST \/v1\/chat\/completions$/],
	["agents", /^GET (\/v1)?\/agents$/],
	["health", /^GET \/healthz$/],
];

export interface Route {
	readonly name: RouteName;
	/** Of the run that is meant; empty where none is. */
	readonly runId: string;
}

export function findRoute(method: string, path: string): Route | undefined {
	for (const [name, pattern] of ROUTES) {
		const [, , runId = ""] = pattern.exec(`${method} ${path}`) ?? [undefined];
		if (pattern.test(`${method} ${path}`)) return { name, runId: decodeURIComponent(runId) };
	}
	return undefined;
}
