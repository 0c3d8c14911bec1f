import { ReadableStream as NodeStream } from "node:stream/web";
import { type A2aServerError, createA2aServer } from "@stemma/a2a-server";
import { AgentTaskStore } from "../a2a/task-store";
import { toAgentCard } from "../a2a/to-agent-card";
import { toDomainError } from "../errors/to-domain-error";
import { requireCaller } from "../http/auth/authenticate";
import { readPublicOrigin } from "../http/auth/public-origin";
import { watchSession } from "../http/auth/session-caller";
import { readVisitor } from "../http/auth/visitor";
import { readChargedChunks } from "../http/body/read-body";
import type { ServiceApp, ServiceContext } from "../http/service-context";
import { toScope } from "../http/to-scope";
import { trackResponse } from "../http/track-response";
import { findRunnableAgent } from "../runs/start-agent-run";
import { joinInFlightCounters } from "../workspaces/in-flight-counter";
import { A2A_SCOPES, challengeAgentCaller, toAgentPath } from "./challenge-caller";
import { toProtocolError } from "./to-protocol-error";

/** `/a2a/:id`: stored agents by A2A 1.0. JSON-RPC is at the path itself, the card and HTTP+JSON are behind it. */
export function addA2aRoutes(app: ServiceApp): void {
	const requireRun = requireCaller({
		...{ scopes: A2A_SCOPES, clientKeys: true, sessions: false },
		appResource: toAgentPath,
	});
	const callers = [challengeAgentCaller, requireRun] as const;

	app.post("/a2a/:id", ...callers, handleRequest);
	// Many clients end an address with a slash.
	app.post("/a2a/:id/", ...callers, handleRequest);
	// The protocol has the paths, and errors of its own where there is none.
	app.get("/a2a/:id/:path{.+}", ...callers, handleRequest);
	app.post("/a2a/:id/:path{.+}", ...callers, handleRequest);
	app.delete("/a2a/:id/:path{.+}", ...callers, handleRequest);
}

async function handleRequest(context: ServiceContext): Promise<Response> {
	const scope = toScope(context);
	const agent = await findRunnableAgent(scope, context.req.param("id") ?? "");
	const store = new AgentTaskStore(scope, agent, () => readVisitor(context));
	const basePath = toAgentPath(new URL(context.req.url).pathname);
	const card = toAgentCard(agent, {
		origin: readPublicOrigin(context),
		path: basePath,
		pushNotifications: store.pushConfigs !== undefined,
	});
	const server = createA2aServer({ mapError: (error) => toA2aError(context, error) });
	const ended = new AbortController();
	// An app may lose its access while it reads a stream.
	const ignoreEnd = watchSession(context, () => ended.abort());
	const signal = AbortSignal.any([context.req.raw.signal, ended.signal]);
	const response = await server.fetch(toCountedRequest(context, signal), { basePath, card, store });
	if (response.headers.get("content-type") !== "text/event-stream") ignoreEnd();
	// The card is another one for client keys.
	response.headers.append("vary", "authorization");
	const { inFlight, requests } = context.get("workspace");
	const { inFlight: serviceInFlight, telemetry } = context.get("kernel");
	const joinedInFlight = joinInFlightCounters(serviceInFlight, inFlight);
	function enter(): () => void {
		const leaves = [
			joinedInFlight.enter(),
			requests.enter(context.get("caller")),
			telemetry.metrics.openStream(),
			ignoreEnd,
		];
		return () => {
			for (const leave of leaves) leave();
		};
	}
	return trackResponse(response, { enter }, signal);
}

/** Wraps a request so that its body counts toward the budget for bodies. */
function toCountedRequest(context: ServiceContext, signal: AbortSignal): Request {
	const { raw } = context.req;
	const { url, method, headers } = raw;
	if (raw.body === null) return new Request(url, { method, headers, signal });
	const body = NodeStream.from(readChargedChunks(context)) as ReadableStream<Uint8Array>;
	const init: RequestInit & { readonly duplex: "half" } = { method, headers, signal, body, duplex: "half" };
	return new Request(url, init);
}

/** Converts an error that the protocol does not define. */
function toA2aError(context: ServiceContext, error: unknown): A2aServerError {
	const domainError = toDomainError(error);
	context.get("kernel").logFailure(context.get("requestId"), domainError, error);
	return toProtocolError(domainError);
}
