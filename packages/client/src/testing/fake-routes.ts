import type { FakeRequest } from "./fake-request";
import type { RequestHandler } from "./fake-response";

/** Routes of the fake by their pattern: `GET /v1/runs/:id`. The newest that matches wins. */
export class FakeRoutes {
	readonly #routes: { readonly route: string; readonly handler: RequestHandler }[] = [];

	on(route: string, handler: RequestHandler): void {
		assertRoute(route);
		this.#routes.unshift({ route, handler });
	}

	/** Responds by the handler of a route, with the values of its names; `undefined` where none matches. */
	handle(request: FakeRequest): ReturnType<RequestHandler> | undefined {
		const { method, path } = request.call;
		for (const { route, handler } of this.#routes) {
			const params = matchRoute(route, method, path);
			if (params !== undefined) return handler(request, params);
		}
		return undefined;
	}
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
