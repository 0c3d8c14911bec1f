import type { A2aServerError } from "../a2a-server-error";
import { assertVersion, readExtensions } from "../http/protocol-headers";
import type { Call, MethodResult } from "../methods/call";
import { METHODS, type MethodName } from "../methods/methods";
import type { Params } from "../requests/params";
import type { ServedAgent } from "../served-agent";

/** Options of both bindings. */
export interface BindingOptions {
	/** Converts an error to the error that the caller gets. */
	readonly mapError: (error: unknown) => A2aServerError;
	readonly heartbeatMs: number;
}

/** A method, as a request asks for it. */
export interface MethodCall {
	readonly name: MethodName;
	readonly params: Params;
}

/** Calls the method that a request asks for. @param callerSignal - aborts when its sender has left. */
export async function callMethod(
	request: Request,
	agent: ServedAgent,
	{ name, params }: MethodCall,
	callerSignal: AbortSignal,
): Promise<MethodResult> {
	assertVersion(request);
	const call: Call = { agent, params, extensions: readExtensions(request), signal: callerSignal };
	return METHODS[name](call);
}

/** Aborts when the sender of a request has left, by either way in which a platform says so. */
export function createCallerAbort({ signal }: Request): AbortController {
	const controller = new AbortController();
	if (signal.aborted) controller.abort();
	else signal.addEventListener("abort", () => controller.abort(), { once: true });
	return controller;
}
