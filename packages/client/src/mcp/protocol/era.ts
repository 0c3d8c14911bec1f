import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CallOptions } from "../../options/call-options";
import type { RpcMessage, RpcParams } from "../wire";

/** Description that a server gives of itself. */
export interface McpServer {
	readonly protocol: "legacy" | "modern";
	/** Protocol version of MCP: `2026-07-28`. */
	readonly protocolVersion: string;
	/** Empty where it does not say. */
	readonly name: string;
	readonly version: string;
	/** Instructions for models. Untrusted text. */
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

/** Options and callbacks of one request. */
export interface EraCall {
	readonly options: CallOptions;
	/** Asks for news of how far it is. */
	readonly wantsProgress?: boolean;
	/** Headers besides those of the protocol. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Receives messages of the server that are no response; `id` is that of the request, and its progress token. */
	readonly onMessage: (message: RpcMessage, id: number) => void;
}

/** Connection to a server in the way of the MCP revision that it speaks. */
export interface Era {
	readonly protocol: "legacy" | "modern";
	/** The one that was negotiated last: `2025-11-25`. */
	readonly revision: string;
	request(method: string, params: RpcParams, call: EraCall): Promise<JsonObject>;
	server(call: EraCall): Promise<McpServer>;
	close(): Promise<void>;
}

export interface McpClientInfo {
	readonly name: string;
	readonly version: string;
	readonly title?: string;
}

/** The caller's params, with what asks for progress in its place; tokens are the ids of the requests. */
export const withMeta = (params: RpcParams, meta: object): RpcParams => ({
	...params,
	_meta: { ...params._meta, ...meta },
});

/** Reads the description of a server; fields that it does not send are empty or left out. */
export const readServer = (
	protocol: Era["protocol"],
	protocolVersion: string,
	info: unknown,
	{ capabilities = {}, instructions }: JsonObject,
): McpServer => {
	const { name, version } = isJsonObject(info) ? info : {};
	return {
		protocol,
		protocolVersion,
		name: typeof name === "string" ? name : "",
		version: typeof version === "string" ? version : "",
		capabilities: isJsonObject(capabilities) ? capabilities : {},
		...(typeof instructions === "string" && { instructions }),
	};
};
