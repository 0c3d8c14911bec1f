import { isCrossOriginRoute } from "./auth/authenticate";
import { OTHER_ROUTE } from "./request-span";
import type { ServiceApp, ServiceContext } from "./service-context";

type Handler = ServiceApp["routes"][number]["handler"];

/** Finds the handlers of the routes that match a path, without the middleware of all requests. */
export function findHandlers(app: ServiceApp, method: string, path: string): readonly Handler[] {
	const [matches] = app.router.match(method === "HEAD" ? "GET" : method, path);
	return matches.map(([match]) => match[1]).flatMap((route) => (route.method === "ALL" ? [] : route.handler));
}

/** Finds the pattern of the route that a request matches; `other` if none: the number of paths is unlimited. */
export function findRoute(app: ServiceApp, { req: { method, path } }: ServiceContext): string {
	const [matches] = app.router.match(method === "HEAD" ? "GET" : method, path);
	const routes = matches.map(([match]) => match[1]).filter((route) => route.method !== "ALL");
	return routes.at(-1)?.path ?? OTHER_ROUTE;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The method, where it is one of HTTP's; clients may invent others. */
export const toMethod = ({ req: { method } }: ServiceContext): string =>
	METHODS.includes(method) ? method : OTHER_ROUTE;

/** The methods that a path answers to. */
export function allowedMethods(app: ServiceApp, path: string): readonly string[] {
	const methods = new Set(app.routes.map(({ method }) => method));
	methods.delete("ALL");
	const allowed = [...methods].filter((method) => findHandlers(app, method, path).length > 0);
	return allowed.includes("GET") ? [...allowed, "HEAD"] : allowed;
}

/** Routes that client keys may use and those that are open to pages answer across origins; no others do. */
export const isCrossOrigin = (handlers: readonly Handler[]): boolean => handlers.some(isCrossOriginRoute);
