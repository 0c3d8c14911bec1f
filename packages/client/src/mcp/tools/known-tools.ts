import type { JsonObject } from "@stemma/core";
import type { StemmaClient } from "../../client";
import { safeStringify } from "../../errors/safe-stringify";
import type { McpOptions } from "../mcp-client";
import type { McpEndpoint } from "../protocol/exchange";
import { toHeaderValue } from "../protocol/header-value";
import { type McpToolList, readTools } from "./list-tools";

/** Tools as they were listed, and what calls of them need. */
export interface KnownTools extends McpToolList {
	/** Epoch milliseconds. */
	readonly expiresAt: number;
	/** Returns the headers of a call, for arguments that the tool wants as headers. */
	headersOf(name: string, args: object): Promise<Readonly<Record<string, string>>>;
}

/**
 * Reads the list of tools, without those that are not to be: not pinned, or with annotations that are not valid.
 *
 * @throws McpError `tool_changed`, `list_too_long`, `malformed_response`
 */
export async function readKnownTools(
	requestPage: (params: JsonObject) => Promise<JsonObject>,
	isModern: boolean,
	{ pin, maxResultBytes }: Pick<McpOptions, "pin"> & Pick<McpEndpoint, "maxResultBytes">,
	redact: StemmaClient["redact"],
): Promise<KnownTools> {
	let { tools, ...list } = await readTools(requestPage, maxResultBytes);
	let headersOf: KnownTools["headersOf"] = async () => ({});
	if (isModern && safeStringify(tools)?.includes('"x-mcp-header"')) {
		const { readParamHeaders, toParamHeaders } = await import("../lazy-parts");
		const headers = new Map(tools.map((tool) => [tool.name, readParamHeaders(tool)]));
		tools = tools.filter(({ name }) => headers.get(name));
		headersOf = (name, args) => toParamHeaders(headers.get(name) ?? [], args, toHeaderValue);
	}
	if (pin) {
		const { pinTools } = await import("../lazy-parts");
		tools = pinTools(tools, pin, redact);
	}
	return {
		...list,
		tools,
		headersOf,
		expiresAt: list.ttlMs ? Date.now() + list.ttlMs : Number.POSITIVE_INFINITY,
	};
}
