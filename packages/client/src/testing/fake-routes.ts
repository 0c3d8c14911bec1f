import type { Answerer } from "./fake-answer";

/** Which route answers: `GET /v1/runs/:id`. The newest that fits wins. */
export interface FakeRoutes {
	on(route: string, answer: Answerer): void;
	find(method: string, path: string): FoundRoute | undefined;
}

export interface FoundRoute {
	readonly answer: Answerer;
	/** What the names in the route stand for. */
	readonly names: Readonly<Record<string, string>>;
}

export function createFakeRoutes(): FakeRoutes {
	const routes: { readonly route: string; readonly answer: Answerer }[] = [];
	return {
		on(route, answer) {
			demandRoute(route);
			routes.unshift({ route, answer });
		},
		find(method, path) {
			for (const { route, answer } of routes) {
				const names = matchRoute(route, method, path);
				if (names !== undefined) return { answer, names };
			}
			return undefined;
		},
	};
}

/** @throws Error for what no request could fit. */
export function demandRoute(route: string): void {
	if (/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(route)) return;
	throw new Error(`"${route}" is not a route: write it as "GET /v1/knowledge-bases/:id".`);
}

/** The names of a route that fits. */
export function matchRoute(
	route: string,
	method: string,
	path: string,
): Readonly<Record<string, string>> | undefined {
	const [wanted, pattern = ""] = route.split(" ");
	const parts = pattern.split("/");
	const given = path.split("/");
	if (wanted !== method || parts.length !== given.length) return undefined;
	const names: Record<string, string> = {};
	for (const [index, part] of parts.entries()) {
		const value = given[index] ?? "";
		if (part.startsWith(":")) names[part.slice(1)] = decodeURIComponent(value);
		else if (part !== value) return undefined;
	}
	return names;
}
