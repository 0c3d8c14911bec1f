import type { RuntimeAgentList, RuntimeHealth } from "@stemma/client";
import { Hono } from "hono";
import { version } from "../../package.json";
import { type AgentCatalog, isReady, toRuntimeAgent } from "../agents/catalog";
import type { A2aRoute } from "./a2a-route";
import { type Access, demandAccess } from "./access";
import { HttpError, toErrorResponse } from "./http-error";
import { jsonResponse } from "./json-response";
import { resolveRequestId } from "./request-id";
import type { RunRoutes } from "./run-routes";

export interface HandlerOptions {
	readonly catalog: () => AgentCatalog;
	readonly access: Access;
	readonly runRoutes: RunRoutes;
	readonly a2a: A2aRoute;
	/** Is told of errors that nobody expected. */
	readonly onUnexpected: (error: unknown, where: string) => void;
}

/** All routes, and what holds for each of them: access, ids, and errors in one format. */
export function createHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
	const app = createRoutes(options);
	return async (request) => {
		const requestId = resolveRequestId(request.headers);
		const answer = async (): Promise<Response> => app.fetch(request);
		const response = await answer().catch((error: unknown) =>
			answerError(error, request, requestId, options),
		);
		response.headers.set("x-request-id", requestId);
		response.headers.set("stemma-version", version);
		return response;
	};
}

function createRoutes({ catalog, access, runRoutes, a2a }: HandlerOptions): Hono {
	const app = new Hono();
	// Without this, hono would answer errors itself.
	app.onError((error) => {
		throw error;
	});
	app.get("/healthz", () => jsonResponse(toHealth(catalog())));
	app.use(async ({ req }, next) => {
		if (req.path !== "/healthz") demandAccess(access, req.raw);
		await next();
	});
	app.get("/agents", () => jsonResponse(toList(catalog())));
	app.post("/run/:agentId", ({ req }) => runRoutes.startRun(req.raw, req.param("agentId")));
	app.get("/runs/:id/events", ({ req }) => runRoutes.readEvents(req.raw, req.param("id")));
	app.post("/runs/:id/cancel", ({ req }) => runRoutes.cancelRun(req.raw, req.param("id")));
	app.all("/a2a/:agentId/*", ({ req }) => a2a(req.raw, req.param("agentId")));
	for (const path of ["/healthz", "/agents", "/runs/:id/events"])
		app.all(path, () => refuseMethod("GET, HEAD"));
	for (const path of ["/run/:agentId", "/runs/:id/cancel"]) app.all(path, () => refuseMethod("POST"));
	app.notFound(({ req }) => {
		throw new HttpError(404, `There is no route ${req.method} ${req.path}.`, {
			code: "route_not_found",
			hint: "Routes: GET /healthz, GET /agents, POST /run/:agentId, GET /runs/:id/events, POST /runs/:id/cancel, POST /a2a/:agentId.",
		});
	});
	return app;
}

const toHealth = ({ entries }: AgentCatalog): RuntimeHealth => {
	const ready = entries.filter(isReady).length;
	return { status: "ok", version, agents: { ready, invalid: entries.length - ready } };
};

const toList = ({ entries }: AgentCatalog): RuntimeAgentList => ({ data: entries.map(toRuntimeAgent) });

function refuseMethod(allow: string): never {
	throw new HttpError(405, `This route takes ${allow}.`, { code: "method_not_allowed", headers: { allow } });
}

function answerError(
	error: unknown,
	{ method, url }: Request,
	requestId: string,
	{ onUnexpected }: HandlerOptions,
): Response {
	if (error instanceof HttpError) return toErrorResponse(error, requestId);
	onUnexpected(error, `${method} ${new URL(url).pathname} ${requestId}`);
	const unexpected = new HttpError(500, "Something went wrong in the runtime.", {
		code: "internal_error",
		hint: "Its log tells more, under the request id.",
	});
	return toErrorResponse(unexpected, requestId);
}
