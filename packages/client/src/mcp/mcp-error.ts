import { StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";

/** Options of `McpError`. */
export interface McpErrorOptions extends StemmaErrorOptions {
	readonly rpcCode?: number | undefined;
	readonly status?: number | undefined;
	readonly data?: unknown;
}

/**
 * An MCP server refused, or does not keep to the protocol. Codes of what the server said: `invalid_params`,
 * `tool_not_found`, `method_not_found`, `invalid_request`, `parse_error`, `header_mismatch`, `missing_capability`,
 * `unsupported_version`, `resource_not_found`, `server_error` for all else. Codes of what was seen: `malformed_response`,
 * `wrong_id`, `no_response`, `stream_lost`, `result_too_large`, `list_too_long`, `unknown_result_type`, `output_invalid`,
 * `unsupported_transport`, `tool_changed`, `tool_not_pinned`, `lock_invalid`. Of a tool of the service that failed: the code of its API,
 * `tool_failed` where there is none.
 */
export class McpError extends StemmaError {
	static override get stemmaName(): string {
		return "McpError";
	}
	declare static readonly is: (error: unknown) => error is McpError;

	/** Code of the JSON-RPC error, where the server sent one. */
	declare readonly rpcCode?: number;
	/** The HTTP status, where it was none of success. */
	declare readonly status?: number;
	/** Data that the server sent with its error. */
	declare readonly data?: unknown;

	constructor(message: string, { rpcCode, status, data, ...options }: McpErrorOptions) {
		super(message, options, { rpcCode, status, data });
	}
}
