import type { Json, JsonObject } from "@stemma/core";
import type { A2aServerError } from "./a2a-server-error";
import { ERROR_TABLE, STATUS_OF_HTTP } from "./error-table";

/** The error of a JSON-RPC response (A2A 1.0.1, section 9.5). */
export const toJsonRpcError = (error: A2aServerError): JsonObject => ({
	code: ERROR_TABLE[error.reason].jsonRpc,
	message: toMessage(error),
	data: toDetails(error),
});

/** The body of an error over HTTP+JSON: `google.rpc.Status` (A2A 1.0.1, section 11.6). */
export const toRestError = (error: A2aServerError): JsonObject => ({
	error: {
		code: toHttpStatus(error),
		status: STATUS_OF_HTTP[error.status ?? 0] ?? ERROR_TABLE[error.reason].status,
		message: toMessage(error),
		details: toDetails(error),
	},
});

export const toHttpStatus = ({ reason, status }: A2aServerError): number =>
	status ?? ERROR_TABLE[reason].http;

const toMessage = ({ message, hint }: A2aServerError): string =>
	hint === undefined ? message : `${message} ${hint}`;

function toDetails({ reason, code, message, param }: A2aServerError): Json[] {
	const info: JsonObject = {
		"@type": "type.googleapis.com/google.rpc.ErrorInfo",
		reason,
		domain: "a2a-protocol.org",
		metadata: { code },
	};
	if (param === undefined) return [info];
	const fieldViolations = [{ field: param, description: message }];
	return [info, { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }];
}
