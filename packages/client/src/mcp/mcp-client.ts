import type { Json, JsonObject } from "@stemma/core";
import type { ServerConnection } from "../http/connect-server";
import type { CallOptions } from "../options/call-options";
import type { McpAuth } from "./oauth/mcp-auth";
import type { McpClientInfo, McpProtocol, McpServer } from "./protocol/era";
import type { McpToolList } from "./tools/list-tools";
import type { McpLock } from "./tools/tool-lock";
import type { McpContent, McpInputRequest, McpProgress } from "./wire";

/** How MCP is spoken, wherever the server is. */
export interface McpOptions {
	/** Speaks this one without finding out. Default: found out by the first request. */
	readonly protocol?: "legacy" | "modern" | undefined;
	/** Only these tools, and only as they were when the lock was made. */
	readonly pin?: McpLock | undefined;
	/** Default: `stemma`, with the version of this package. */
	readonly clientInfo?: McpClientInfo | undefined;
	/**
	 * What this program can be asked for by modern servers, which ask for nothing else: `{ elicitation: { form: {} } }` for
	 * one that answers what an `input_required` asks. Default: nothing.
	 */
	readonly capabilities?: JsonObject | undefined;
	/** Checks `structuredContent` by the tool's `outputSchema`. Default: it is not checked. */
	readonly validate?: McpValidate | undefined;
	/** Of one answer, with all that comes before its result. Default 10 MiB. */
	readonly maxResultBytes?: number | undefined;
}

/** How to reach an MCP server, and how it is spoken to. */
export type McpClientOptions = ServerConnection &
	McpOptions & {
		/** Instead of `token`: gets tokens when the server asks for them. `mcpOAuth({ … })`, `mcpClientCredentials({ … })`. */
		readonly auth?: McpAuth | undefined;
	};

/** Checks a value by a JSON Schema, as `ajv` and others do. Take one that fetches no schema from anywhere. */
export type McpValidate = (
	schema: JsonObject,
	value: Json,
) => { readonly valid: true } | { readonly valid: false; readonly errors: readonly string[] };

/** Finding out what the server speaks, and listing its tools, is shared by all calls: it has the client's own options. */
export interface McpCallOptions extends CallOptions {
	/** Is told how far the call is, where the server tells. */
	readonly onProgress?: ((progress: McpProgress) => void) | undefined;
	/** Goes into the `_meta` of the call, such as a `traceparent`. */
	readonly meta?: JsonObject | undefined;
}

/** The tools of a server by their names, as `stemma mcp types` writes them. */
export type McpToolTypes = {
	readonly [name: string]: { readonly arguments: object; readonly result: unknown };
};

/** Arguments may be left out where the tool needs none. */
type CallArguments<Arguments> =
	Record<string, never> extends Arguments
		? [args?: Arguments, options?: McpCallOptions]
		: [args: Arguments, options?: McpCallOptions];

/**
 * Speaks to one MCP server. Nothing is sent before the first call.
 *
 * @typeParam Tools - what is known of its tools, for the types of calls. Nothing checks it at run time: `pin` does.
 */
export interface McpClient<Tools extends McpToolTypes = McpToolTypes> {
	/**
	 * What was negotiated with the server. `undefined` before the first request; known from the start with
	 * `protocol: "modern"`, which leaves nothing to negotiate.
	 */
	readonly protocol: McpProtocol | undefined;
	server(options?: CallOptions): Promise<McpServer>;
	/** All pages. With `pin`, those of the lock alone. */
	listTools(options?: CallOptions): Promise<McpToolList>;
	/**
	 * Calls a tool. One that may have begun is not called again by itself. An aborted signal cancels it.
	 *
	 * @throws McpError, ApiError, ConnectionError, TimeoutError. That the tool itself failed is a result: `isError`.
	 */
	callTool<Name extends keyof Tools & string>(
		name: Name,
		...rest: CallArguments<Tools[Name]["arguments"]>
	): Promise<McpOutcome<Tools[Name]["result"]>>;
	/** Ends the session, if there is one; the next call begins another. */
	close(): Promise<void>;
}

/** What became of a call. */
export type McpOutcome<Result = unknown> = McpResult<Result> | McpInputRequired<Result>;

/** The tool is done, well or not. */
export interface McpResult<Result = unknown> {
	readonly status: "complete";
	/** For a model to read. */
	readonly content: readonly McpContent[];
	/** For a program, after the tool's `outputSchema`; up to 2025-11-25 an object. */
	readonly structuredContent?: Result;
	/** The tool failed, and `content` says why: something for the model to read, and no error of the call. */
	readonly isError: boolean;
	readonly _meta?: JsonObject;
}

/** The tool needs something before it goes on (2026-07-28). */
export interface McpInputRequired<Result = unknown> {
	readonly status: "input_required";
	/** What is asked for, by names that the answers repeat. */
	readonly inputRequests: Readonly<Record<string, McpInputRequest>>;
	/** Calls the tool again with what was asked for: the result of each request, by its name. */
	continue(
		responses: Readonly<Record<string, object>>,
		options?: McpCallOptions,
	): Promise<McpOutcome<Result>>;
}
