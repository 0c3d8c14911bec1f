import { isJsonObject } from "@stemma/core/internal";
import { A2aServerError } from "../a2a-server-error";
import { toHttpStatus, toRestError } from "../error-bodies";
import { toEventStream } from "../http/event-stream";
import { jsonResponse } from "../http/json-response";
import { readBody } from "../http/read-body";
import { type Params, toProtoName } from "../requests/params";
import type { ServedAgent } from "../served-agent";
import { type BindingOptions, callMethod, createCallerAbort } from "./binding";
import { findRestRoute } from "./rest-routes";

const A2A_TYPE = { "content-type": "application/a2a+json" };

/** Answers a request of the HTTP+JSON binding (A2A 1.0.1, section 11). @param path - behind the agent's own. */
export async function handleRest(
	request: Request,
	path: string,
	agent: ServedAgent,
	options: BindingOptions,
): Promise<Response> {
	try {
		const { method, status, params: pathParams } = findRestRoute(request.method, path);
		const params = withPathParams(await readParams(request), pathParams);
		const callerAbort = createCallerAbort(request);
		const result = await callMethod(request, agent, { name: method, params }, callerAbort.signal);
		if ("value" in result)
			return status === 204 ? new Response(null, { status }) : jsonResponse(result.value, status, A2A_TYPE);
		return toEventStream(result.stream, {
			heartbeatMs: options.heartbeatMs,
			onDisconnect: () => callerAbort.abort(),
			toError: (error) => toRestError(options.mapError(error)),
		});
	} catch (error) {
		const serverError = options.mapError(error);
		return jsonResponse(toRestError(serverError), toHttpStatus(serverError), {
			...A2A_TYPE,
			...serverError.headers,
		});
	}
}

/** Merges the parameters of a request. Those of the path win over body and query, however these spell them. */
function withPathParams(params: Params, pathParams: Params): Params {
	const spellings = Object.keys(pathParams).flatMap((name) => [name, toProtoName(name)]);
	const others = Object.entries(params).filter(([name]) => !spellings.includes(name));
	return { ...Object.fromEntries(others), ...pathParams };
}

async function readParams(request: Request): Promise<Params> {
	if (request.method !== "POST") return Object.fromEntries(new URL(request.url).searchParams);
	const body = (await readBody(request)) ?? {};
	if (isJsonObject(body)) return body;
	throw new A2aServerError("INVALID_REQUEST", "The body has to be a JSON object.");
}
