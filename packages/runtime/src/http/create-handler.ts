import type { RuntimeAgentList, RuntimeHealth } from "@stemma/client";
import { Hono } from "hono";
import { version } from "../../package.json";
import { type AgentCatalog, toRuntimeAgent } from "../agents/catalog";
import type { A2aRoute } from "./a2a-route";
import { type Access, demandAccess } from "./access";
import type { ApprovalRoute } from "./approval-route";
import { HttpError, toErrorResponse } from "./http-error";
import { jsonResponse } from "./json-response";
import { resolveRequestId } from "./request-id";
import type { RunRoutes } from "./run-routes";
import { shuttingDown } from "./start-run";

export interface HandlerOptions {
	readonly catalog: () => AgentCatalog;
	readonly access: Access;
	/** True when no new runs are taken. */
	readonly isClosing: () => boolean;
	readonly runRoutes: RunRoutes;
	readonly approvals: ApprovalRoute;
	readonly a2a: A2aRoute;
	/** `GET /metrics`, as text. */
	readonly metrics: () => string;
	/** Is told of every answer. @param code - of the error, where it is one. */
	readonly onAnswer: (request: Request, status: number, code?: string) => void;
	/** Is told of errors that nobody expected. */
	readonly onUnexpected: (error: unknown, where: string) => void;
}

/** All routes, and what holds for each of them: access, ids, and errors in one format. */
export function createHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
	const app = createRoutes(options);
	return async (request) => {
		const requestId = resolveRequestId(request.headers);
		const answer = async (): Promise<Response> => app.fetch(request);
		let code: string | undefined;
		const response = await answer().catch((error: unknown) => {
			code = error instanceof HttpError ? error.code : "internal_error";
			return answerError(error, request, requestId, options);
		});
		options.onAnswer(request, response.status, code);
		response.headers.set("x-request-id", requestId);
		response.headers.set("stemma-version", version);
		return response;
	};
}

function createRoutes(options: HandlerOptions): Hono {
	const { catalog, access, isClosing, runRoutes, approvals, a2a, metrics } = options;
	const app = new Hono();
	// Without this, hono would answer errors itself.
	app.onError((error) => {
		throw error;
	});
	app.get("/healthz", () => {
		// Whoever spreads requests over runtimes leaves this one out.
		if (isClosing()) throw shuttingDown();
		return jsonResponse(toHealth(catalog()));
	});
	app.use(async ({ req }, next) => {
		if (req.path !== "/healthz") demandAccess(access, req.raw);
		await next();
	});
	app.get("/metrics", () => new Response(metrics(), { headers: { "content-type": METRICS_TYPE } }));
	app.get("/agents", () => jsonResponse(toList(catalog())));
	app.post("/run/:agentId", ({ req }) => runRoutes.startRun(req.raw, req.param("agentId")));
	app.get("/runs/:id/events", ({ req }) => runRoutes.readEvents(req.raw, req.param("id")));
	app.post("/runs/:id/cancel", ({ req }) => runRoutes.cancelRun(req.raw, req.param("id")));
	app.post("/runs/:id/approvals/:approvalId", ({ req }) =>
		approvals(req.raw, req.param("id"), req.param("approvalId")),
	);
	app.all("/a2a/:agentId/*", ({ req }) => a2a(req.raw, req.param("agentId")));
	for (const path of ["/healthz", "/agents", "/metrics", "/runs/:id/events"])
		app.all(path, () => refuseMethod("GET, HEAD"));
	for (const path of ["/run/:agentId", "/runs/:id/cancel", "/runs/:id/approvals/:approvalId"])
		app.all(path, () => refuseMethod("POST"));
	app.notFound(({ req }) => {
		throw new HttpError(404, `There is no route ${req.method} ${req.path}.`, {
			code: "route_not_found",
			hint: "Routes: GET /healthz, GET /agents, GET /metrics, POST /run/:agentId, GET /runs/:id/events, POST /runs/:id/cancel, POST /runs/:id/approvals/:approval_id, POST /a2a/:agentId.",
		});
	});
	return app;
}

/** The text format of Prometheus. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const toHealth = ({ entries, ready }: AgentCatalog): RuntimeHealth => ({
	status: "ok",
	version,
	agents: { ready, invalid: entries.length - ready },
});

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
