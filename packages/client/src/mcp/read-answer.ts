import { isJsonObject } from "@stemma/core/internal";
import type { SseReader } from "@stemma/core/sse";
import type { OpenAnswer } from "../client";
import { parseJson } from "../read-api-error";
import { McpError } from "./mcp-error";
import { readOn } from "./read-on";
import type { RpcMessage } from "./wire";

const HINT = "The server may be broken, or the address is not that of an MCP server.";

/**
 * Gives the messages of an answer, JSON or a stream, to `take`, until one of them is all that is wanted or the body ends.
 *
 * @param reader - of the stream.
 * @param mostBytes - of the body; counted as it comes. Characters where it comes as text.
 * @returns the body as text, where it is no stream.
 */
export async function readAnswer(
	answer: OpenAnswer,
	reader: SseReader,
	mostBytes: number,
	take: (message: RpcMessage) => boolean,
): Promise<string> {
	const isStream = /^text\/event-stream\b/i.test(answer.header("content-type"));
	let size = 0;
	let text = "";
	let decoder: TextDecoder | undefined;
	try {
		for (let piece = await answer.read(); piece !== undefined; piece = await answer.read()) {
			size += piece.length;
			if (size > mostBytes) throw createTooLargeError(mostBytes);
			if (isStream) {
				for (const { data } of reader.push(piece))
					if (data && toMessages(data).some(take)) {
						await readOn(answer);
						return "";
					}
			} else if (typeof piece === "string") text += piece;
			else {
				decoder ??= new TextDecoder();
				text += decoder.decode(piece, { stream: true });
			}
		}
	} finally {
		answer.close();
	}
	// Refusals may be of HTTP alone.
	if (!isStream && (answer.status < 400 ? text.trim() : isRpc(parseJson(text)))) toMessages(text).some(take);
	return text;
}

/** One, or several as the revision of 2025-03-26 has it. @throws McpError `malformed_answer` */
function toMessages(text: string): readonly RpcMessage[] {
	const json = parseJson(text);
	const messages = Array.isArray(json) ? json : [json];
	if (messages.every(isRpc)) return messages;
	throw new McpError("The MCP server sent something that is no JSON-RPC message.", {
		code: "malformed_answer",
		hint: HINT,
	});
}

const isRpc = (message: unknown): message is RpcMessage =>
	isJsonObject(message) &&
	message.jsonrpc === "2.0" &&
	[message.error ?? {}, message.params ?? {}].every(isJsonObject) &&
	(typeof message.method === "string" || isJsonObject(message.result) || isJsonObject(message.error));

const createTooLargeError = (mostBytes: number): McpError =>
	new McpError(`The MCP server sent more than ${mostBytes} bytes in one answer.`, {
		code: "result_too_large",
		hint: "Ask the tool for less; or raise `maxResultBytes`.",
	});
