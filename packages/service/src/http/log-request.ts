import type { ServiceContext } from "./service-context";

/** One line for each request; of a stream when it starts. Never bodies, queries or headers: secrets may be in them. */
export function logRequest(context: ServiceContext, ms: number): void {
	const caller = context.get("caller") as { readonly id: string } | undefined;
	const { method, path } = context.req;
	const line = {
		request_id: context.get("requestId"),
		method,
		path,
		status: context.res.status,
		ms: Math.round(ms * 10) / 10,
		...(caller !== undefined && { caller: caller.id }),
	};
	context.get("kernel").logger[isProbe(path) ? "debug" : "info"](line, "request");
}

/** True for the paths by which machines look whether the service lives. */
export const isProbe = (path: string): boolean =>
	path === "/healthz" || path === "/readyz" || path === "/metrics";
