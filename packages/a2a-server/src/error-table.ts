import type { A2aErrorReason } from "@stemma/client/a2a";

/** Codes of an error in each binding. */
export interface ErrorCodes {
	readonly jsonRpc: number;
	readonly http: number;
	/** Status code of gRPC, as `google.rpc.Status` names it. */
	readonly status: "INVALID_ARGUMENT" | "NOT_FOUND" | "FAILED_PRECONDITION" | "INTERNAL";
}

/** Names in `google.rpc.Status` for HTTP statuses that say more than the reason. Source: `google/rpc/code.proto`. */
export const STATUS_OF_HTTP: Readonly<Record<number, string>> = {
	401: "UNAUTHENTICATED",
	403: "PERMISSION_DENIED",
	404: "NOT_FOUND",
	405: "UNIMPLEMENTED",
	409: "ABORTED",
	429: "RESOURCE_EXHAUSTED",
	503: "UNAVAILABLE",
	504: "DEADLINE_EXCEEDED",
};

const invalid = (jsonRpc: number): ErrorCodes => ({ jsonRpc, http: 400, status: "INVALID_ARGUMENT" });
const refused = (jsonRpc: number): ErrorCodes => ({ jsonRpc, http: 400, status: "FAILED_PRECONDITION" });

/** Source: A2A 1.0.1, section 5.4; JSON-RPC 2.0, section 5.1. */
export const ERROR_TABLE: Readonly<Record<A2aErrorReason, ErrorCodes>> = {
	PARSE_ERROR: invalid(-32700),
	INVALID_REQUEST: invalid(-32600),
	METHOD_NOT_FOUND: { jsonRpc: -32601, http: 404, status: "NOT_FOUND" },
	INVALID_PARAMS: invalid(-32602),
	INTERNAL_ERROR: { jsonRpc: -32603, http: 500, status: "INTERNAL" },
	TASK_NOT_FOUND: { jsonRpc: -32001, http: 404, status: "NOT_FOUND" },
	TASK_NOT_CANCELABLE: refused(-32002),
	PUSH_NOTIFICATION_NOT_SUPPORTED: refused(-32003),
	UNSUPPORTED_OPERATION: refused(-32004),
	CONTENT_TYPE_NOT_SUPPORTED: invalid(-32005),
	INVALID_AGENT_RESPONSE: { jsonRpc: -32006, http: 500, status: "INTERNAL" },
	EXTENDED_AGENT_CARD_NOT_CONFIGURED: refused(-32007),
	EXTENSION_SUPPORT_REQUIRED: refused(-32008),
	VERSION_NOT_SUPPORTED: refused(-32009),
};
