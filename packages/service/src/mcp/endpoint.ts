import { createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server";
import type { Caller } from "../auth/caller";
import type { LimitsConfiguration } from "../configuration/configuration";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import { assertScope } from "../http/auth/authenticate";
import { watchSession } from "../http/auth/session-caller";
import type { ServiceContext } from "../http/service-context";
import { toScope } from "../http/to-scope";
import { trackResponse } from "../http/track-response";
import type { ServiceKernel } from "../kernel";
import type { Workspace } from "../workspaces/workspace";
import { createServer } from "./create-server";
import { createInFlightCalls, type McpScope } from "./in-flight-calls";
import { isInitialize, readMessages, type SentMessage } from "./read-messages";
import { canUse, TOOLS } from "./tools";

/** The MCP server of a service, for both eras of the protocol. */
export interface McpEndpoint {
	/**
	 * Answers a POST.
	 *
	 * @param body - as it was parsed; `undefined` where it is no JSON.
	 * @throws DomainError `missing_scope` for a tool that the caller does not see; `rate_limited`; `batch_too_large` for what is
	 * more than a minute's requests, and would be so at any time.
	 */
	respond(context: ServiceContext, body: unknown): Promise<Response>;
}

/** Streams of one workspace that wait for news. There is never any, as the tools of a caller do not change. */
export const MAX_MCP_SUBSCRIPTIONS = 256;

type Handler = ReturnType<typeof createMcpHandler>;

export function createMcpEndpoint({
	shutdownSignal,
	logger,
	authenticator,
	limits,
	bus,
}: ServiceKernel): McpEndpoint {
	const scopes = new WeakMap<Request, McpScope>();
	const calls = createInFlightCalls(bus, (error) =>
		logger.warn({ err: error }, "other instances were not told of a cancelled call"),
	);
	const getHandler = createHandlers({ shutdownSignal, logger }, (request) => {
		const scope = request && scopes.get(request);
		if (scope === undefined) throw new Error("An MCP request came without its scope.");
		return createServer(scope, calls);
	});

	return {
		async respond(context, body) {
			const request = context.req.raw;
			// Of another type, it is the type that is wrong.
			if (body === undefined && isJsonContentType(request.headers.get("content-type")))
				return parseErrorResponse();
			const messages = readMessages(body);
			const ended = new AbortController();
			const session = context.req.header("mcp-session-id");
			const scope = { ...toScope(context), session, ended: ended.signal };
			const { caller, workspace } = scope;
			assertBatchSize(messages, maxBatchSize(caller, limits));
			assertToolScopes(caller, messages);
			// The request itself was counted; a batch holds many.
			for (const _ of messages.slice(1)) authenticator.countRequest(caller);
			for (const { cancelledId } of messages) if (cancelledId !== undefined) calls.cancel(scope, cancelledId);
			scopes.set(request, scope);
			// An app may lose its access while a call is under way.
			const ignoreEnd = watchSession(context, () => ended.abort(accessEnded()));
			try {
				const response = await getHandler(workspace).fetch(request, { parsedBody: body ?? null });
				if (response.ok && isInitialize(messages)) response.headers.set("mcp-session-id", createId("mcp"));
				return toTrackedResponse(context, response, ignoreEnd);
			} catch (error) {
				ignoreEnd();
				throw error;
			}
		},
	};
}

/** Handlers of requests: one for each workspace, as each counts its own streams. */
function createHandlers(
	{ shutdownSignal, logger }: Pick<ServiceKernel, "shutdownSignal" | "logger">,
	toServer: (request: Request | undefined) => ReturnType<typeof createServer>,
): (workspace: Workspace) => Handler {
	const handlers = new WeakMap<Workspace, Handler>();
	return (workspace) => {
		const known = handlers.get(workspace);
		if (known !== undefined) return known;
		const handler = createMcpHandler(({ requestInfo }) => toServer(requestInfo), {
			legacy: "stateless",
			maxSubscriptions: MAX_MCP_SUBSCRIPTIONS,
			onerror: (error) => logger.debug({ err: error }, "MCP request refused"),
		});
		handlers.set(workspace, handler);
		shutdownSignal.addEventListener("abort", () => void handler.close(), { once: true });
		return handler;
	};
}

/** A response that counts as long as it is read; `ignoreEnd` is called once it is over. */
function toTrackedResponse(context: ServiceContext, response: Response, ignoreEnd: () => void): Response {
	if (response.headers.get("content-type") !== "text/event-stream") ignoreEnd();
	const { requests } = context.get("workspace");
	function enter(): () => void {
		const leave = requests.enter(context.get("caller"));
		const endStream = context.get("kernel").telemetry.metrics.openStream();
		return () => {
			leave();
			endStream();
			ignoreEnd();
		};
	}
	return trackResponse(response, { enter }, context.req.raw.signal);
}

const accessEnded = (): DomainError =>
	new DomainError("invalid_credentials", "The access has ended while the call was under way.", {
		hint: "Ask the person for access again.",
	});

const maxBatchSize = (caller: Caller, { requestsPerMinute }: LimitsConfiguration): number =>
	caller.kind === "client_key" ? Math.min(caller.requestsPerMinute, requestsPerMinute) : requestsPerMinute;

function assertBatchSize({ length }: readonly SentMessage[], max: number): void {
	if (length <= max) return;
	throw new DomainError(
		"batch_too_large",
		`A batch of ${length} messages is more than a minute's requests.`,
		{
			hint: `Each message counts as a request: send at most ${max} in a batch.`,
		},
	);
}

const parseErrorResponse = (): Response =>
	Response.json(
		{ jsonrpc: "2.0", error: { code: -32700, message: "Parse error: the body is not JSON." }, id: null },
		{ status: 400 },
	);

/** Asserts that the caller may see each tool that it calls; the error names the missing scope. */
function assertToolScopes(caller: Caller, messages: readonly SentMessage[]): void {
	for (const { toolName } of messages) {
		const tool = TOOLS.find(({ name }) => name === toolName);
		if (tool !== undefined && !canUse(caller, tool)) assertScope(caller, ...tool.scopes);
	}
}
