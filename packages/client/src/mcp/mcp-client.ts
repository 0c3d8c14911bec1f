import type { Json, JsonObject } from "@stemma/core";
import type { ServerAuth, ServerConnection } from "../http/connect-server";
import type { CallOptions } from "../options/call-options";
import type { McpClientInfo, McpProtocol, McpServer } from "./protocol/era";
import type { McpToolList } from "./tools/list-tools";
import type { McpLock } from "./tools/tool-lock";
import type { McpContent, McpInputRequest, McpProgress } from "./wire";

/** Options of the MCP protocol, wherever the server is. */
export interface McpOptions {
	/** Protocol to use, without negotiation. Default: the first request negotiates it. */
	readonly protocol?: "legacy" | "modern" | undefined;
	/** Lock that limits the tools to those in it, as they were when it was made. */
	readonly pin?: McpLock | undefined;
	/** Default: `stemma`, with the version of this package. */
	readonly clientInfo?: McpClientInfo | undefined;
	/**
	 * Capabilities that modern servers may ask this program for; they ask for nothing else. Example: `{ elicitation: {
	 * form: {} } }` for a program that answers what an `input_required` asks. Default: none.
	 */
	readonly capabilities?: JsonObject | undefined;
	/** Checks `structuredContent` by the tool's `outputSchema`. Default: it is not checked. */
	readonly validate?: McpValidate | undefined;
	/** Maximum size of one response, with everything before its result. Default 10 MiB. */
	readonly maxResultBytes?: number | undefined;
}

/**
 * Authorization for any number of MCP servers: the result of `mcpOAuth` and `mcpClientCredentials`, for the option `auth`
 * of `createMcpClient`. Clients of the same server share its tokens.
 */
export interface McpAuth extends ServerAuth {}

/** Options to reach an MCP server and of the protocol with it. */
export type McpClientOptions = ServerConnection &
	McpOptions & {
		/**
		 * Source of tokens when the server asks for them, in place of `token`: `mcpOAuth({ … })`,
		 * `mcpClientCredentials({ … })`.
		 */
		readonly auth?: McpAuth | undefined;
	};

/** Checks a value by a JSON Schema, as `ajv` and others do. Take one that fetches no schema from anywhere. */
export type McpValidate = (
	schema: JsonObject,
	value: Json,
) => { readonly valid: true } | { readonly valid: false; readonly errors: readonly string[] };

/** Finding out what the server speaks, and listing its tools, is shared by all calls: it has the client's own options. */
export interface McpCallOptions extends CallOptions {
	/** Receives the progress of the call, where the server reports it. */
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
	 * Protocol that was negotiated with the server. `undefined` before the first request; known from the start with
	 * `protocol: "modern"`, which needs no negotiation.
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

/** Outcome of a call. */
export type McpOutcome<Result = unknown> = McpResult<Result> | McpInputRequired<Result>;

/** The tool is done, well or not. */
export interface McpResult<Result = unknown> {
	readonly status: "complete";
	/** Content for a model to read. */
	readonly content: readonly McpContent[];
	/** Content for a program, after the tool's `outputSchema`; up to 2025-11-25 an object. */
	readonly structuredContent?: Result;
	/** The tool failed, and `content` says why: something for the model to read, and no error of the call. */
	readonly isError: boolean;
	readonly _meta?: JsonObject;
}

/** The tool needs something before it goes on (2026-07-28). */
export interface McpInputRequired<Result = unknown> {
	readonly status: "input_required";
	/** Requests of the server, by names that the answers repeat. */
	readonly inputRequests: Readonly<Record<string, McpInputRequest>>;
	/** Calls the tool again with what was asked for: the result of each request, by its name. */
	continue(
		responses: Readonly<Record<string, object>>,
		options?: McpCallOptions,
	): Promise<McpOutcome<Result>>;
}
