import type { RequestHandler } from "./fake-response";

/** Routes of the fake by their pattern: `GET /v1/runs/:id`. The newest that matches wins. */
export interface FakeRoutes {
	on(route: string, handler: RequestHandler): void;
	find(method: string, path: string): FoundRoute | undefined;
}

export interface FoundRoute {
	readonly handler: RequestHandler;
	/** Values of the names in the route. */
	readonly params: Readonly<Record<string, string>>;
}

export function createFakeRoutes(): FakeRoutes {
	const routes: { readonly route: string; readonly handler: RequestHandler }[] = [];
	return {
		on(route, handler) {
			assertRoute(route);
			routes.unshift({ route, handler });
		},
		find(method, path) {
			for (const { route, handler } of routes) {
				const params = matchRoute(route, method, path);
				if (params !== undefined) return { handler, params };
			}
			return undefined;
		},
	};
}

/** @throws Error for what no request could fit. */
export function assertRoute(route: string): void {
	if (/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(route)) return;
	throw new Error(`"${route}" is not a route: write it as "GET /v1/knowledge-bases/:id".`);
}

/** Returns the path parameters if a route matches a request, else undefined. */
export function matchRoute(
	route: string,
	method: string,
	path: string,
): Readonly<Record<string, string>> | undefined {
	const [expectedMethod, pattern = ""] = route.split(" ");
	const parts = pattern.split("/");
	const segments = path.split("/");
	if (expectedMethod !== method || parts.length !== segments.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, part] of parts.entries()) {
		const value = segments[index] ?? "";
		if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(value);
		else if (part !== value) return undefined;
	}
	return params;
}
