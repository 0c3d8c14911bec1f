import { isJsonObject } from "@stemma/core/internal";
import type { SseReader } from "@stemma/core/sse";
import type { OpenResponse } from "../../client";
import { parseJson } from "../../errors/read-api-error";
import { drainResponse } from "../../http/drain-response";
import { McpError } from "../mcp-error";
import type { RpcMessage } from "../wire";

/** Timeout for the end of a body after what is wanted of it: a call waits for it, and some servers keep streams open. */
export const DRAIN_TIMEOUT_MS = 50;

const HINT = "The server may be broken, or the address is not that of an MCP server.";

/**
 * Gives the messages of a response, JSON or a stream, to `onMessage`, until one of them is all that is wanted or the body
 * ends.
 *
 * @param reader - of the stream.
 * @param maxBytes - of the body; counted as it comes. Characters where it comes as text.
 * @returns the body as text, where it is no stream.
 */
export async function readResponse(
	response: OpenResponse,
	reader: SseReader,
	maxBytes: number,
	onMessage: (message: RpcMessage) => boolean,
): Promise<string> {
	const isStream = /^text\/event-stream\b/i.test(response.header("content-type"));
	let size = 0;
	let text = "";
	let decoder: TextDecoder | undefined;
	try {
		for (let chunk = await response.read(); chunk !== undefined; chunk = await response.read()) {
			size += chunk.length;
			if (size > maxBytes) throw createTooLargeError(maxBytes);
			if (isStream) {
				for (const { data } of reader.push(chunk))
					if (data && toMessages(data).some(onMessage)) {
						await drainResponse(response, DRAIN_TIMEOUT_MS);
						return "";
					}
			} else if (typeof chunk === "string") text += chunk;
			else {
				decoder ??= new TextDecoder();
				text += decoder.decode(chunk, { stream: true });
			}
		}
	} finally {
		response.close();
	}
	// Refusals may be of HTTP alone.
	if (!isStream && (response.status < 400 ? text.trim() : isRpc(parseJson(text))))
		toMessages(text).some(onMessage);
	return text;
}

/** One, or several as the revision of 2025-03-26 has it. @throws McpError `malformed_response` */
function toMessages(text: string): readonly RpcMessage[] {
	const json = parseJson(text);
	const messages = Array.isArray(json) ? json : [json];
	if (messages.every(isRpc)) return messages;
	throw new McpError("The MCP server sent something that is not a JSON-RPC message.", {
		code: "malformed_response",
		hint: HINT,
	});
}

const isRpc = (message: unknown): message is RpcMessage =>
	isJsonObject(message) &&
	message.jsonrpc === "2.0" &&
	[message.error ?? {}, message.params ?? {}].every(isJsonObject) &&
	(typeof message.method === "string" || isJsonObject(message.result) || isJsonObject(message.error));

const createTooLargeError = (maxBytes: number): McpError =>
	new McpError(`The MCP server sent more than ${maxBytes} bytes in one answer.`, {
		code: "result_too_large",
		hint: "Ask the tool for less, or raise `maxResultBytes`.",
	});
