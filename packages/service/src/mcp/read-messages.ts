import { isJsonObject } from "@stemma/core/internal";
import type { RpcId } from "./in-flight-calls";

/** Part of a message that the service needs before the protocol handles it. */
export interface SentMessage {
	readonly method: string;
	/** The tool that it calls. */
	readonly toolName?: string;
	/** The request that it gives up. */
	readonly cancelledId?: RpcId;
}

/** The messages of a body; of what is none, nothing. */
export const readMessages = (body: unknown): readonly SentMessage[] =>
	(Array.isArray(body) ? body : [body]).flatMap(readMessage);

function readMessage(message: unknown): readonly SentMessage[] {
	if (!isJsonObject(message) || typeof message.method !== "string") return [];
	const { method } = message;
	const params = isJsonObject(message.params) ? message.params : {};
	const { name, requestId } = params;
	if (method === "tools/call" && typeof name === "string") return [{ method, toolName: name }];
	if (
		method === "notifications/cancelled" &&
		(typeof requestId === "string" || typeof requestId === "number")
	)
		return [{ method, cancelledId: requestId }];
	return [{ method }];
}

/** True for the first request of a client of the era before 2026-07-28. */
export const isInitialize = (messages: readonly SentMessage[]): boolean =>
	messages.some(({ method }) => method === "initialize");
