import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { toDomainError } from "../errors/to-domain-error";
import type { RequestScope } from "../request-scope";
import { joinInFlightCounters } from "../workspaces/in-flight-counter";
import type { InFlightCalls, McpScope } from "./in-flight-calls";
import type { Tool } from "./tool";
import { toToolError, toToolResult } from "./tool-result";

/** Request that a tool call belongs to. */
export interface ToolRequest {
	readonly scope: McpScope;
	readonly request: ServerContext["mcpReq"];
	readonly calls: InFlightCalls;
}

/** Calls a tool; whatever goes wrong is a result too, which the model reads. */
export async function callTool(
	tool: Tool,
	input: unknown,
	toolRequest: ToolRequest,
): Promise<CallToolResult> {
	const { scope, request, calls } = toolRequest;
	const { inFlight, shutdownSignal, turns, logFailure } = scope.kernel;
	const startedAt = performance.now();
	const leave = joinInFlightCounters(inFlight, scope.workspace.inFlight).enter();
	let outcome = "ok";
	try {
		const result = await calls.track(scope, request.id, async (cancelSignal) => {
			const signal = AbortSignal.any([request.signal, shutdownSignal, cancelSignal, scope.ended]);
			// A batch holds many calls.
			await turns.wait(scope.workspace.id, signal);
			return tool.call(input, { scope, signal, reportProgress: createProgressReporter(request) });
		});
		scope.ended.throwIfAborted();
		return toToolResult(result);
	} catch (error) {
		const domainError = toDomainError(scope.ended.aborted ? scope.ended.reason : error);
		logFailure(scope.requestId, domainError, error);
		outcome = domainError.code;
		return toToolError(scope, domainError);
	} finally {
		leave();
		logCall(scope, { tool: tool.name, outcome, ms: performance.now() - startedAt });
	}
}

/** Logs a tool call, never its arguments or its result. */
function logCall(
	scope: RequestScope,
	{ ms, ...call }: { readonly tool: string; readonly outcome: string; readonly ms: number },
): void {
	const line = { request_id: scope.requestId, ...call, ms: Math.round(ms * 10) / 10 };
	scope.kernel.logger.info({ ...line, caller: scope.caller.id }, "tool call");
}

/** Tells a client that gave a token how far its call is; the number only ever grows, for nobody knows the end. */
function createProgressReporter({ _meta, notify }: ServerContext["mcpReq"]): (message: string) => void {
	const progressToken = _meta?.progressToken;
	if (progressToken === undefined) return () => undefined;
	let progress = 0;
	return (message) => {
		progress += 1;
		const params = { progressToken, progress, message };
		// Where the client has left, the call ends by its signal.
		notify({ method: "notifications/progress", params }).catch(() => undefined);
	};
}
