import type { TraceContext } from "@stemma/core";
import type { Caller } from "../auth/caller";
import type { ServiceContext, ServiceKernel } from "../http/service-app";
import type { Workspace } from "../workspaces/workspace";

/** Context of a run: where it takes place, and who pays. */
export interface RunContext {
	readonly kernel: ServiceKernel;
	readonly workspace: Workspace;
	readonly caller: Caller;
	/** Trace context of the request; left out where the service acts by itself. */
	readonly traceContext?: TraceContext | undefined;
}

export const toRunContext = (context: ServiceContext): RunContext => ({
	kernel: context.get("kernel"),
	workspace: context.get("workspace"),
	caller: context.get("caller"),
	traceContext: context.get("span")?.traceContext,
});
