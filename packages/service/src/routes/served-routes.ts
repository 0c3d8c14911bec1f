import { Hono } from "hono";
import { type CallerRequirements, findRequirements } from "../http/auth/authenticate";
import { findDescription, type RouteDescription } from "../http/describe-route";
import type { ServiceApp, ServiceEnvironment } from "../http/service-context";
import { addRoutes, type RoutesParts } from ".";

/** Route of the service with all that its handlers say of it. */
export interface ServedRoute {
	readonly method: string;
	/** Path as it was added: `/v1/agents/:id`. */
	readonly path: string;
	readonly description: RouteDescription | undefined;
	readonly requirements: CallerRequirements | undefined;
}

/** Lists the routes that an app serves, in the order in which they were added. */
export function listServedRoutes(app: ServiceApp): readonly ServedRoute[] {
	const routes = new Map<string, ServedRoute>();
	for (const { method, path, handler } of app.routes) {
		if (method === "ALL") continue;
		const key = `${method} ${path}`;
		const known = routes.get(key);
		routes.set(key, {
			method,
			path,
			description: known?.description ?? findDescription(handler),
			requirements: known?.requirements ?? findRequirements(handler),
		});
	}
	return [...routes.values()];
}

/** An app with the routes of the service and nothing behind them: enough to list them. */
export function createRouteApp(): ServiceApp {
	const app = new Hono<ServiceEnvironment>();
	// No request is sent to it, so that nothing of the parts is ever used.
	const parts = {
		configuration: { listen: { host: "127.0.0.1", port: 0 } },
		stores: { deployment: {}, workspaces: {} },
		registry: {},
		rates: { open: () => ({}) },
	};
	addRoutes(app, parts as unknown as RoutesParts);
	return app;
}
