import type { RuntimeAgentList, RuntimeHealth, RuntimeReadiness } from "@stemma/client";
import { DomainError } from "@stemma/protocol";
import { version } from "../../package.json";
import { type AgentEntry, isReady, toRuntimeAgent } from "../agents/catalog";
import type { ServiceMonitor } from "../upstream/service-monitor";
import { HttpError, toErrorResponse } from "./http-error";
import { type HttpHandler, type HttpRequest, type HttpResponse, jsonResponse } from "./http-exchange";
import { type Access, requireAccess } from "./request/access";
import { resolveRequestId } from "./request/request-id";
import type { A2aRoute } from "./routes/a2a-route";
import type { AgUiRoute } from "./routes/ag-ui-route";
import type { ApprovalRoute } from "./routes/approval-route";
import type { ChatRoutes } from "./routes/chat-routes";
import { ALLOWED_METHODS, matchRoute, type RouteMatch, type RouteName } from "./routes/match-route";
import { respondWithOpenApi } from "./routes/openapi-route";
import type { RunRoutes } from "./routes/run-routes";
import { notReadyError } from "./routes/service-error";
import { shuttingDown } from "./routes/start-run";

/** Options of the handler with all routes of the runtime. */
export interface HandlerOptions {
	/** The agents as they are listed and counted. */
	readonly agents: () => readonly AgentEntry[];
	readonly service: Pick<ServiceMonitor, "state" | "check">;
	readonly access: Access;
	/** True when no new runs are taken. */
	readonly isClosing: () => boolean;
	readonly runRoutes: RunRoutes;
	readonly chatRoutes: ChatRoutes;
	readonly agUi: AgUiRoute;
	readonly approvals: ApprovalRoute;
	readonly a2a: A2aRoute;
	/** `GET /metrics`, as text. */
	readonly metrics: () => string;
	/** Called for every answer. @param code - of the error, where it is one. */
	readonly onResponse: (
		request: { readonly method: string; readonly route: RouteName },
		status: number,
		code: string | undefined,
	) => void;
	/** Called for unexpected errors. */
	readonly onUnexpectedError: (error: unknown, where: string) => void;
}

/** Creates the handler of all routes, with what they have in common: access, ids, and one format of errors. */
export const createHandler =
	(options: HandlerOptions): HttpHandler =>
	async (request) => {
		const requestId = resolveRequestId(request);
		const route = matchRoute(request.path);
		let response: HttpResponse;
		let code: string | undefined;
		try {
			// Probes are answered whatever waits.
			if (!isProbe(route.name)) await request.start();
			response = await handleRoute(request, route, options);
		} catch (error) {
			const known =
				error instanceof DomainError ? error : toInternalError(error, request, requestId, options);
			response = toErrorResponse(known, requestId);
			code = known.code;
		}
		options.onResponse({ method: request.method, route: route.name }, response.status, code);
		const { status, headers, body } = response;
		return {
			status,
			headers: { ...headers, "x-request-id": requestId, "stemma-version": version },
			body,
		};
	};

const isProbe = (name: RouteName): boolean => name === "/healthz" || name === "/readyz";

function handleRoute(
	request: HttpRequest,
	{ name, id, secondId }: RouteMatch,
	{
		agents,
		service,
		access,
		isClosing,
		runRoutes,
		chatRoutes,
		agUi,
		approvals,
		a2a,
		metrics,
	}: HandlerOptions,
): HttpResponse | Promise<HttpResponse> {
	if (!isProbe(name)) requireAccess(access, request);
	requireMethod(request, name);
	switch (name) {
		case "/run/:agentId":
			return runRoutes.startRun(request, id);
		case "/run/:agentId/ag-ui":
			return agUi(request, id);
		case "/run/:agentId/ui":
			return chatRoutes.send(request, id);
		case "/run/:agentId/ui/:chat/stream":
			return chatRoutes.resume(request, id, secondId);
		case "/runs/:id/events":
			return runRoutes.readEvents(request, id);
		case "/runs/:id/cancel":
			return runRoutes.cancelRun(request, id);
		case "/runs/:id/approvals/:approval_id":
			return approvals(request, id, secondId);
		case "/a2a/:agentId":
			return a2a(request, id);
		case "/healthz":
			// Whoever spreads requests over runtimes leaves this one out.
			if (isClosing()) throw shuttingDown();
			return jsonResponse(toHealth(agents(), service.state().status));
		case "/readyz":
			return handleReadiness(isClosing, agents, service);
		case "/agents":
			return jsonResponse(toAgentList(agents()));
		case "/metrics":
			return { status: 200, headers: { "content-type": METRICS_TYPE }, body: metrics() };
		case "/openapi.json":
			return respondWithOpenApi(request);
		case "other":
			throw routeNotFound(request);
	}
}

const routeNotFound = ({ method, path }: HttpRequest): HttpError =>
	new HttpError(404, `There is no route ${method} ${path}.`, {
		code: "route_not_found",
		hint: "Routes: GET /healthz, GET /readyz, GET /agents, GET /metrics, GET /openapi.json, POST /run/:agentId, POST /run/:agentId/ag-ui, POST /run/:agentId/ui, GET /run/:agentId/ui/:chat/stream, GET /runs/:id/events, POST /runs/:id/cancel, POST /runs/:id/approvals/:approval_id, POST /a2a/:agentId.",
	});

/** The text format of Prometheus. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const toHealth = (
	entries: readonly AgentEntry[],
	service: NonNullable<RuntimeHealth["service"]>,
): RuntimeHealth => ({ status: "ok", version, agents: countAgents(entries), service });

function countAgents(entries: readonly AgentEntry[]): RuntimeHealth["agents"] {
	const ready = entries.filter(isReady).length;
	return { ready, invalid: entries.length - ready };
}

/** `GET /readyz`. @throws HttpError 503 where a run would fail. */
async function handleReadiness(
	isClosing: () => boolean,
	agents: () => readonly AgentEntry[],
	service: Pick<ServiceMonitor, "check">,
): Promise<HttpResponse> {
	if (isClosing()) throw shuttingDown();
	const { status } = await service.check();
	if (status !== "ok" && status !== "none") throw notReadyError(status);
	const readiness: RuntimeReadiness = {
		status: "ready",
		version,
		agents: countAgents(agents()),
		service: status,
	};
	return jsonResponse(readiness);
}

const toAgentList = (entries: readonly AgentEntry[]): RuntimeAgentList => ({
	data: entries.map(toRuntimeAgent),
});

function requireMethod({ method }: HttpRequest, name: RouteName): void {
	const allow = ALLOWED_METHODS[name];
	if (allow === undefined || allow === method || allow.split(", ").includes(method)) return;
	throw new HttpError(405, `This route supports ${allow}.`, {
		code: "method_not_allowed",
		headers: { allow },
	});
}

function toInternalError(
	error: unknown,
	{ method, path }: HttpRequest,
	requestId: string,
	{ onUnexpectedError }: HandlerOptions,
): HttpError {
	onUnexpectedError(error, `${method} ${path} ${requestId}`);
	return new HttpError(500, "Something went wrong in the runtime.", {
		code: "internal_error",
		hint: "Its log has the details under the request id.",
	});
}
