import type { RequestScope } from "../request-scope";

/** Context of a run: where it takes place, and who pays. The service itself has no trace context. */
export type RunContext = Pick<RequestScope, "kernel" | "workspace" | "caller"> &
	Partial<Pick<RequestScope, "traceContext">>;
