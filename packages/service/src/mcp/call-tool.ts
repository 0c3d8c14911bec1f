import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { toDomainError } from "../errors/to-domain-error";
import { joinInFlightCounters } from "../http/in-flight/in-flight-counter";
import type { ServiceContext } from "../http/service-app";
import type { InFlightCalls } from "./in-flight-calls";
import type { Tool } from "./tool";
import { toToolError, toToolResult } from "./tool-result";

/** Request that a tool call belongs to. */
export interface ToolRequest {
	readonly context: ServiceContext;
	readonly request: ServerContext["mcpReq"];
	readonly calls: InFlightCalls;
}

/** Calls a tool; whatever goes wrong is a result too, which the model reads. */
export async function callTool(
	tool: Tool,
	input: unknown,
	toolRequest: ToolRequest,
): Promise<CallToolResult> {
	const { context, request, calls } = toolRequest;
	const { inFlight, shutdownSignal, turns, logFailure } = context.get("kernel");
	const startedAt = performance.now();
	const leave = joinInFlightCounters(inFlight, context.get("workspace").inFlight).enter();
	let outcome = "ok";
	try {
		const result = await calls.track(context, request.id, async (cancelSignal) => {
			const signal = AbortSignal.any([request.signal, shutdownSignal, cancelSignal]);
			// A batch holds many calls.
			await turns.wait(context.get("workspace").id, signal);
			return tool.call(input, { context, signal, reportProgress: createProgressReporter(request) });
		});
		return toToolResult(result);
	} catch (error) {
		const domainError = toDomainError(error);
		logFailure(context.get("requestId"), domainError, error);
		outcome = domainError.code;
		return toToolError(context, domainError);
	} finally {
		leave();
		logCall(context, { tool: tool.name, outcome, ms: performance.now() - startedAt });
	}
}

/** Logs a tool call, never its arguments or its result. */
function logCall(
	context: ServiceContext,
	{ ms, ...call }: { readonly tool: string; readonly outcome: string; readonly ms: number },
): void {
	const line = { request_id: context.get("requestId"), ...call, ms: Math.round(ms * 10) / 10 };
	context.get("kernel").logger.info({ ...line, caller: context.get("caller").id }, "tool call");
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
