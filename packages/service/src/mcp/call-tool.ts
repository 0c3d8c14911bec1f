import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { joinActivities } from "../http/activity";
import { logError, toApiError } from "../http/error-answer";
import type { ServiceContext } from "../http/service-app";
import type { CallsUnderWay } from "./calls-under-way";
import { createProgress } from "./progress";
import type { Tool } from "./tool";
import { toToolError, toToolResult } from "./tool-result";

/** What a call comes with. */
export interface ToolRequest {
	readonly context: ServiceContext;
	readonly request: ServerContext["mcpReq"];
	readonly calls: CallsUnderWay;
}

/** Calls a tool; whatever goes wrong is a result too, which the model reads. */
export async function callTool(tool: Tool, input: unknown, asked: ToolRequest): Promise<CallToolResult> {
	const { context, request, calls } = asked;
	const { activity, closing, turns } = context.get("kernel");
	const startedAt = performance.now();
	const leave = joinActivities(activity, context.get("workspace").activity).enter();
	let outcome = "ok";
	try {
		const result = await calls.during(context, request.id, async (given) => {
			const signal = AbortSignal.any([request.signal, closing, given]);
			// A batch holds many calls.
			await turns.wait(context.get("workspace").id, signal);
			return tool.call(input, { context, signal, tell: createProgress(request) });
		});
		return toToolResult(result);
	} catch (error) {
		const known = toApiError(error);
		if (known.status >= 500) logError(context, known, error);
		outcome = known.code;
		return toToolError(context, known);
	} finally {
		leave();
		logCall(context, { tool: tool.name, outcome, ms: performance.now() - startedAt });
	}
}

/** Never what a tool was called with, or what it gave. */
function logCall(
	context: ServiceContext,
	{ ms, ...call }: { readonly tool: string; readonly outcome: string; readonly ms: number },
): void {
	const line = { request_id: context.get("requestId"), ...call, ms: Math.round(ms * 10) / 10 };
	context.get("kernel").logger.info({ ...line, caller: context.get("caller").id }, "tool call");
}
