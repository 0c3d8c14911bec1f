import type { A2aStreamResponse } from "@stemma/client/a2a";
import { isJsonObject } from "@stemma/core/internal";
import { A2aServerError } from "../a2a-server-error";
import { toJsonRpcError } from "../error-bodies";
import { toEventStream } from "../http/event-stream";
import { jsonResponse } from "../http/json-response";
import { readBody } from "../http/read-body";
import { isMethodName } from "../methods/methods";
import type { ServedAgent } from "../served-agent";
import { type BindingOptions, callMethod, createCallerAbort, type MethodCall } from "./binding";

type RpcId = string | number | null;

const JSON_TYPE = { "content-type": "application/json" };

/** Answers a request of the JSON-RPC binding (A2A 1.0.1, section 9). Errors are 200, but for those of HTTP alone. */
export async function handleJsonRpc(
	request: Request,
	agent: ServedAgent,
	options: BindingOptions,
): Promise<Response> {
	let id: RpcId = null;
	const toFailure = (error: unknown): { readonly serverError: A2aServerError; readonly body: object } => {
		const serverError = options.mapError(error);
		return { serverError, body: { jsonrpc: "2.0", id, error: toJsonRpcError(serverError) } };
	};
	try {
		if (request.method !== "POST") throw createMethodNotAllowedError();
		const body = readEnvelope(await readBody(request));
		id = readRpcId(body.id);
		const callerAbort = createCallerAbort(request);
		const result = await callMethod(request, agent, readCall(body), callerAbort.signal);
		if ("value" in result) return jsonResponse({ jsonrpc: "2.0", id, result: result.value }, 200, JSON_TYPE);
		return toEventStream(toResults(result.stream, id), {
			heartbeatMs: options.heartbeatMs,
			onDisconnect: () => callerAbort.abort(),
			toError: (error) => toFailure(error).body,
		});
	} catch (error) {
		const { serverError, body } = toFailure(error);
		return jsonResponse(body, toStatus(serverError), { ...JSON_TYPE, ...serverError.headers });
	}
}

/**
 * Returns the HTTP status of an error: only those that proxies and HTTP clients act upon; everything else is in the
 * body.
 */
const toStatus = ({ status = 200 }: A2aServerError): number =>
	[405, 413, 429].includes(status) || status >= 500 ? status : 200;

async function* toResults(stream: AsyncIterable<A2aStreamResponse>, id: RpcId): AsyncGenerator<object> {
	for await (const result of stream) yield { jsonrpc: "2.0", id, result };
}

type Envelope = { readonly [name: string]: unknown };

function readEnvelope(body: unknown): Envelope {
	if (Array.isArray(body))
		throw new A2aServerError("INVALID_REQUEST", "Batches of requests are not supported.", {
			hint: "Send each request in its own body.",
		});
	if (isJsonObject(body) && body.jsonrpc === "2.0") return body;
	throw new A2aServerError("INVALID_REQUEST", "The body is not a request of JSON-RPC 2.0.", {
		hint: 'Send {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "…"}}.',
	});
}

function readRpcId(id: unknown): RpcId {
	if (id === undefined || id === null) return null;
	if (typeof id === "string" || (typeof id === "number" && Number.isInteger(id))) return id;
	throw new A2aServerError("INVALID_REQUEST", "id: Expected text or a whole number.", { param: "id" });
}

function readCall({ method, params = {} }: Envelope): MethodCall {
	if (typeof method !== "string")
		throw new A2aServerError("INVALID_REQUEST", "method: Expected text.", { param: "method" });
	if (!isMethodName(method))
		throw new A2aServerError(
			"METHOD_NOT_FOUND",
			`There is no method ${JSON.stringify(method.slice(0, 80))}.`,
			{
				hint: "Use a method of A2A 1.0, such as SendMessage.",
			},
		);
	if (!isJsonObject(params))
		throw new A2aServerError("INVALID_PARAMS", "params: Expected an object.", { param: "params" });
	return { name: method, params };
}

const createMethodNotAllowedError = (): A2aServerError =>
	new A2aServerError("INVALID_REQUEST", "JSON-RPC is sent by POST.", {
		status: 405,
		headers: { allow: "POST" },
	});
