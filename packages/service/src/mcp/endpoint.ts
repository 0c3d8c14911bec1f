import { createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server";
import type { Caller } from "../auth/caller";
import type { LimitsConfiguration } from "../configuration/configuration";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import { assertScope } from "../http/auth/authenticate";
import { trackResponse } from "../http/in-flight/track-response";
import type { ServiceContext, ServiceKernel } from "../http/service-app";
import type { Workspace } from "../workspaces/workspace";
import { createServer } from "./create-server";
import { createInFlightCalls } from "./in-flight-calls";
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
}: ServiceKernel): McpEndpoint {
	const contexts = new WeakMap<Request, ServiceContext>();
	const calls = createInFlightCalls();
	/** One for each workspace, as each counts its own streams. */
	const handlers = new WeakMap<Workspace, Handler>();

	function getHandler(workspace: Workspace): Handler {
		const known = handlers.get(workspace);
		if (known !== undefined) return known;
		const handler = createHandler();
		handlers.set(workspace, handler);
		shutdownSignal.addEventListener("abort", () => void handler.close(), { once: true });
		return handler;
	}

	const createHandler = (): Handler =>
		createMcpHandler(
			({ requestInfo }) => {
				const context = requestInfo && contexts.get(requestInfo);
				if (context === undefined) throw new Error("An MCP request came without its context.");
				return createServer(context, calls);
			},
			{
				legacy: "stateless",
				maxSubscriptions: MAX_MCP_SUBSCRIPTIONS,
				onerror: (error) => logger.debug({ err: error }, "MCP request refused"),
			},
		);

	return {
		async respond(context, body) {
			const request = context.req.raw;
			// Of another type, it is the type that is wrong.
			if (body === undefined && isJsonContentType(request.headers.get("content-type")))
				return parseErrorResponse();
			const messages = readMessages(body);
			assertBatchSize(messages, maxBatchSize(context.get("caller"), limits));
			assertToolScopes(context, messages);
			// The request itself was counted; a batch holds many.
			for (const _ of messages.slice(1)) authenticator.countRequest(context.get("caller"));
			for (const { cancelledId } of messages)
				if (cancelledId !== undefined) calls.cancel(context, cancelledId);
			contexts.set(request, context);
			const workspace = context.get("workspace");
			const response = await getHandler(workspace).fetch(request, { parsedBody: body ?? null });
			if (response.ok && isInitialize(messages)) response.headers.set("mcp-session-id", createId("mcp"));
			const enter = () => workspace.requests.enter(context.get("caller"));
			return trackResponse(response, { enter }, request.signal);
		},
	};
}

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
function assertToolScopes(context: ServiceContext, messages: readonly SentMessage[]): void {
	const caller = context.get("caller");
	for (const { toolName } of messages) {
		const tool = TOOLS.find(({ name }) => name === toolName);
		if (tool !== undefined && !canUse(caller, tool)) assertScope(caller, ...tool.scopes);
	}
}
