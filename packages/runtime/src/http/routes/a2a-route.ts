import { A2aServerError, createA2aServer, type ServedAgent } from "@stemma/a2a-server";
import { DomainError, readDepth } from "@stemma/protocol";
import { readTraceHeaders } from "@stemma/telemetry";
import type { TaskRegistry } from "../../a2a/task-registry";
import { createTaskStore } from "../../a2a/task-store";
import { toAgentCard } from "../../a2a/to-agent-card";
import type { AgentCatalog } from "../../agents/catalog";
import type { RunRegistry } from "../../runs/run-registry";
import { toStatus } from "../http-error";
import type { HttpRequest, HttpResponse } from "../http-exchange";
import type { Access } from "../request/access";
import { findAgent } from "./find-agent";
import type { StartRun } from "./start-run";

/** Answers a request at or behind `/a2a/:agentId`, by A2A. */
export type A2aRoute = (request: HttpRequest, agentId: string) => Promise<HttpResponse>;

export interface A2aRouteOptions {
	readonly catalog: () => AgentCatalog;
	readonly access: Access;
	readonly tasks: TaskRegistry;
	readonly registry: RunRegistry;
	readonly startRun: StartRun;
	/** Called for unexpected errors. */
	readonly onUnexpectedError: (error: unknown, where: string) => void;
}

/** Each agent that is ready as an A2A server. What is wrong with the request beyond the protocol is an `HttpError`, as on all routes. */
export function createA2aRoute({
	catalog,
	access,
	tasks,
	registry,
	startRun,
	onUnexpectedError,
}: A2aRouteOptions): A2aRoute {
	const server = createA2aServer({
		mapError(error) {
			if (error instanceof DomainError) return toProtocolError(error);
			onUnexpectedError(error, "A2A");
			return undefined;
		},
	});
	return async (httpRequest, agentId) => {
		const depth = readDepth(httpRequest.header("stemma-depth"));
		const entry = findAgent(catalog(), agentId);
		const request = httpRequest.toWeb();
		const { origin, pathname } = new URL(request.url);
		const [basePath = ""] = /^\/a2a\/[^/]+/.exec(pathname) ?? [];
		const agent: ServedAgent = {
			basePath,
			card: toAgentCard(entry, toPublicOrigin(origin, request.headers) + basePath, access),
			store: createTaskStore({
				tasks,
				registry,
				agentId: entry.id,
				start: (input) =>
					startRun(
						entry,
						{ input },
						depth,
						readTraceHeaders((name) => httpRequest.header(name)),
					),
			}),
		};
		const { status, headers, body } = await server.fetch(request, agent);
		return { status, headers: Object.fromEntries(headers), body };
	};
}

/** A proxy that ends TLS says so; nothing lowers the scheme. */
function toPublicOrigin(origin: string, headers: Headers): string {
	const [scheme = ""] = headers.get("x-forwarded-proto")?.split(",") ?? [];
	return scheme.trim().toLowerCase() === "https" ? origin.replace(/^http:/, "https:") : origin;
}

/** The protocol has no words for limits and for being closed; the status and the code tell. */
function toProtocolError(error: DomainError): A2aServerError {
	const { message, code, hint } = error;
	const { status, headers } = toStatus(error);
	const reason = status === 429 || status >= 500 ? "INTERNAL_ERROR" : "INVALID_PARAMS";
	return new A2aServerError(reason, message, { code, hint, cause: error, status, headers });
}
