import type { TraceContext } from "@stemma/core";
import type { Caller } from "../auth/caller";
import type { ServiceContext, ServiceKernel } from "../http/service-app";
import type { Workspace } from "../workspaces/workspace";

/** Where a run takes place, and at whose cost. */
export interface RunContext {
	readonly kernel: ServiceKernel;
	readonly workspace: Workspace;
	readonly caller: Caller;
	/** Of the request; none: it happens by itself. */
	readonly traceContext?: TraceContext | undefined;
}

export const toRunContext = (context: ServiceContext): RunContext => ({
	kernel: context.get("kernel"),
	workspace: context.get("workspace"),
	caller: context.get("caller"),
	traceContext: context.get("span")?.traceContext,
});
