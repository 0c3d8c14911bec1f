import type { A2aServerError } from "../a2a-server-error";
import { demandVersion, readExtensions } from "../http/protocol-headers";
import type { Call, MethodAnswer } from "../methods/call";
import { METHODS, type MethodName } from "../methods/methods";
import type { Params } from "../requests/params";
import type { ServedAgent } from "../served-agent";

/** What both bindings share. */
export interface BindingOptions {
	/** What an error is for the caller. */
	readonly explain: (error: unknown) => A2aServerError;
	readonly heartbeatMs: number;
}

/** A method, as a request asks for it. */
export interface MethodCall {
	readonly name: MethodName;
	readonly params: Params;
}

/** Does what a request asks for. @param left - aborts when its sender has left. */
export async function callMethod(
	request: Request,
	agent: ServedAgent,
	{ name, params }: MethodCall,
	left: AbortSignal,
): Promise<MethodAnswer> {
	demandVersion(request);
	const call: Call = { agent, params, extensions: readExtensions(request), signal: left };
	return METHODS[name](call);
}

/** Aborts when the sender of a request has left, by either way in which a platform says so. */
export function watchSender({ signal }: Request): AbortController {
	const left = new AbortController();
	if (signal.aborted) left.abort();
	else signal.addEventListener("abort", () => left.abort(), { once: true });
	return left;
}
