import type { JsonObject } from "@stemma/core";
import type { CallOptions } from "../../options/call-options";
import type { RpcMessage } from "../wire";

/** What a server says of itself. */
export interface McpServer {
	readonly protocol: "legacy" | "modern";
	/** Of MCP: `2026-07-28`. */
	readonly protocolVersion: string;
	/** Empty where it does not say. */
	readonly name: string;
	readonly version: string;
	/** For models. Text of a stranger. */
	readonly instructions?: string;
	readonly capabilities: JsonObject;
}

/** Revision of MCP that a client and a server speak with each other. */
export interface McpProtocol {
	/** `2026-07-28` */
	readonly revision: string;
	/** `modern`: each request stands alone; `legacy`: there was an `initialize` first. */
	readonly era: "legacy" | "modern";
}

/** What goes along with one request. */
export interface EraCall {
	readonly options: CallOptions;
	/** Asks for news of how far it is. */
	readonly wantsProgress?: boolean;
	/** Besides those of the protocol. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Of the server, that are no response; `id` is that of the request, and its progress token. */
	readonly onMessage: (message: RpcMessage, id: number) => void;
}

/** How requests go to a server, by the revision of MCP that it speaks. */
export interface Era {
	readonly protocol: "legacy" | "modern";
	/** The one that was negotiated last: `2025-11-25`. */
	readonly revision: string;
	request(method: string, params: JsonObject, call: EraCall): Promise<JsonObject>;
	server(call: EraCall): Promise<McpServer>;
	close(): Promise<void>;
}

export interface McpClientInfo {
	readonly name: string;
	readonly version: string;
	readonly title?: string;
}

/** The caller's params, with what asks for progress in its place; tokens are the ids of the requests. */
export const withMeta = (params: JsonObject, meta: JsonObject): JsonObject => ({
	...params,
	_meta: { ...(params._meta as JsonObject | undefined), ...meta },
});

/** What is told of a server, where it is told. */
export const readServer = (
	protocol: Era["protocol"],
	protocolVersion: string,
	info: unknown,
	{ capabilities = {}, instructions }: JsonObject,
): McpServer => {
	const { name, version } = (info ?? {}) as { readonly name?: unknown; readonly version?: unknown };
	return {
		protocol,
		protocolVersion,
		name: typeof name === "string" ? name : "",
		version: typeof version === "string" ? version : "",
		capabilities: capabilities as JsonObject,
		...(typeof instructions === "string" && { instructions }),
	};
};
