import { MAX_JSON_BODY_BYTES } from "@stemma/core/internal";
import { parseJson } from "@stemma/protocol";
import { DomainError } from "../errors/domain-error";
import { requireCaller } from "../http/auth/authenticate";
import { readBody } from "../http/body/read-body";
import type { ServiceApp, ServiceContext } from "../http/service-context";
import type { McpEndpoint } from "../mcp/endpoint";
import { challengeCaller, MCP_SCOPES } from "./challenge-caller";
import { assertOrigin } from "./mcp-origin";

/** Options of the route `/mcp`, which serves both eras of the Model Context Protocol. */
export interface McpRouteOptions {
	readonly isLocal: boolean;
}

/** `/mcp`: the Model Context Protocol over the knowledge bases, as of 2026-07-28 and before. */
export function addMcpRoutes(app: ServiceApp, { isLocal }: McpRouteOptions): void {
	const requireCall = requireCaller({
		...{ scopes: MCP_SCOPES, clientKeys: true, sessions: false },
		appResource: () => "/mcp",
	});
	let endpoint: Promise<McpEndpoint> | undefined;

	app.post("/mcp", challengeCaller, requireCall, async (context) => {
		assertOrigin(context, isLocal);
		const body = await readJsonBody(context);
		endpoint ??= loadEndpoint(context);
		return (await endpoint).respond(context, body);
	});

	app.on(["GET", "DELETE"], "/mcp", challengeCaller, requireCall, (context) => {
		assertOrigin(context, isLocal);
		context.header("allow", "POST");
		throw streamsNotSupported(context.req.method);
	});
}

/** The protocol's library takes longer to load than all routes together: those who do not use it start without. */
async function loadEndpoint(context: ServiceContext): Promise<McpEndpoint> {
	const { createMcpEndpoint } = await import("../mcp/endpoint");
	return createMcpEndpoint(context.get("kernel"));
}

/**
 * Reads the body as JSON; `undefined` for a body that is not JSON, because the protocol has an error of its own for
 * that.
 */
async function readJsonBody(context: ServiceContext): Promise<unknown> {
	const bytes = await readBody(context, MAX_JSON_BODY_BYTES);
	try {
		return parseJson(bytes);
	} catch (error) {
		if (error instanceof DomainError && error.code === "invalid_json") return undefined;
		throw error;
	}
}

/**
 * Creates the error for methods other than POST. They have routes so that pages of other origins, too, can read the
 * error.
 */
const streamsNotSupported = (method: string): DomainError =>
	new DomainError("method_not_allowed", `/mcp does not support ${method}.`, {
		hint: "Send each request by POST: /mcp has no sessions and no separate streams.",
	});
