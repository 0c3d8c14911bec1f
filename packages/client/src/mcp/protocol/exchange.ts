import type { JsonObject } from "@stemma/core";
import { createSseReader, type SseReader } from "@stemma/core/sse";
import type { OpenResponse, ServiceRequest, StemmaClient } from "../../client";
import { ConnectionError } from "../../errors/errors";
import type { CallOptions } from "../../options/call-options";
import { McpError } from "../mcp-error";
import type { RpcErrorObject, RpcMessage } from "../wire";
import type { EraCall, McpClientInfo } from "./era";
import { readResponse } from "./read-response";

/** Endpoint of an MCP server, with the limits and options of its requests. */
export interface McpEndpoint {
	readonly client: StemmaClient;
	/** Path after the client's `baseUrl`. */
	readonly path: string;
	readonly maxResultBytes: number;
	readonly clientInfo: McpClientInfo;
	/**
	 * Capabilities of this client, for the modern era alone: in the legacy era, servers would ask by requests of their
	 * own.
	 */
	readonly capabilities: JsonObject;
	/** Returns the id of the next request; no id is used twice. */
	nextId(): number;
	/** Converts a failure. It is loaded when it is needed: most answers are no failures. */
	toError(method: string, response: OpenResponse, failure: McpFailure): Promise<Error>;
}

/** A response that is no success: an error of JSON-RPC, or a body that is none. */
export interface McpFailure {
	readonly text: string;
	readonly error: RpcErrorObject | undefined;
}

/** One request of MCP, over all that it takes to have its response. */
export interface McpRequest {
	readonly id: number;
	readonly method: string;
	readonly params?: object;
	readonly headers: Readonly<Record<string, string | undefined>>;
	readonly options: CallOptions;
	/** Handler of messages, as in {@link EraCall}. */
	readonly onMessage: EraCall["onMessage"];
	readonly onSend?: () => void;
	/** Opens the stream again that ended too early, from where it ended; may give up. */
	readonly resume?: (
		position: Pick<SseReader, "lastEventId" | "retryMs">,
		attempt: number,
	) => Promise<OpenResponse | undefined>;
}

export interface McpResponse {
	readonly result: JsonObject;
	readonly openResponse: OpenResponse;
}

/** Checks whether a method may be called again without harm. A tool may have done its work already. */
const isIdempotent = (method: string): boolean => method !== "tools/call";

/** Sends one message, and gives the answer with its body unread. */
export const sendMessage = (
	{ client, path }: McpEndpoint,
	request: Pick<ServiceRequest, "options"> & Partial<ServiceRequest>,
): Promise<OpenResponse> =>
	client.open({
		method: "POST",
		path,
		// So that React Native streams; what servers are told is below.
		accept: "text/event-stream",
		acceptStatus: (status) => status >= 400 && status < 500 && status !== 408 && status !== 429,
		...request,
		headers: { accept: "application/json, text/event-stream", ...request.headers },
	});

/**
 * Sends a request and reads on until its response is there. Responses to other requests are not ours to take.
 *
 * @throws McpError for what the server says, or for what is no answer; ApiError for refusals of HTTP.
 */
export async function exchange(endpoint: McpEndpoint, request: McpRequest): Promise<McpResponse> {
	const { maxResultBytes } = endpoint;
	const { id, method, params, headers, options, onMessage, onSend, resume } = request;
	let lastEventId = "";
	let response: RpcMessage | undefined;
	let hasMismatchedId = false;
	const handleMessage = (message: RpcMessage): boolean => {
		const isResponse = message.method === undefined;
		const isOurs = message.id === id || (message.error !== undefined && message.id == null);
		if (!isResponse) onMessage(message, id);
		else if (isOurs) response = message;
		else hasMismatchedId = true;
		return response !== undefined;
	};
	let openResponse: OpenResponse | undefined = await sendMessage(endpoint, {
		json: { jsonrpc: "2.0", id, method, params },
		headers,
		options,
		retry: isIdempotent(method) ? "failed" : "if-not-started",
		...(onSend && { onSend }),
	});
	for (let attempt = 1; ; attempt++) {
		// Half an event that a connection broke off in is nothing that the next one goes on with.
		const reader = createSseReader({ maxEventLength: maxResultBytes });
		let text = "";
		let cause: unknown;
		try {
			text = await readResponse(openResponse, reader, maxResultBytes, handleMessage);
		} catch (error) {
			if (!ConnectionError.is(error)) throw error;
			cause = error;
		}
		const { status } = openResponse;
		const { error, result } = response ?? {};
		if (status === 401 || status === 403 || error || (status >= 400 && result === undefined))
			throw await endpoint.toError(method, openResponse, { text, error });
		if (result !== undefined) return { result, openResponse };
		lastEventId = reader.lastEventId || lastEventId;
		const resumed: OpenResponse | undefined =
			lastEventId === "" ? undefined : await resume?.({ lastEventId, retryMs: reader.retryMs }, attempt);
		if (resumed === undefined) throw createNoResponseError(method, hasMismatchedId, cause);
		openResponse = resumed;
	}
}

function createNoResponseError(method: string, hasMismatchedId: boolean, cause: unknown): McpError {
	if (hasMismatchedId)
		return new McpError(`The MCP server answers \`${method}\` with the id of another request.`, {
			code: "wrong_id",
			hint: "This is an error of the server: a response must repeat the id of its request.",
		});
	return new McpError(`The MCP server's answer to \`${method}\` ended before there was a response.`, {
		code: cause === undefined ? "no_response" : "stream_lost",
		hint: isIdempotent(method)
			? undefined
			: "The tool may have run: call it again only if a second call does no harm.",
		cause,
	});
}
