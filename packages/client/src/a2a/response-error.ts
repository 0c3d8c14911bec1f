import type { Json } from "@stemma/core";
import type { OpenResponse, StemmaClient } from "../client";
import type { readApiError } from "../errors/read-api-error";
import type { A2aError, createInvalidResponseError } from "./a2a-error";
import type { FailureResponse } from "./agent-calls";
import type { BindingError } from "./binding";
import type { A2A_ERRORS, A2aErrorReason } from "./wire";

/**
 * Dependencies that the caller passes in. This module imports nothing itself, because a bundler would split its imports
 * off from what every page loads.
 */
export interface ResponseErrorDependencies {
	readonly A2aError: typeof A2aError;
	readonly createInvalidResponseError: typeof createInvalidResponseError;
	readonly readApiError: typeof readApiError;
}

/** A failure as an A2aError, where the agent says it in the protocol; as an ApiError, where something before it does. */
export function toResponseError(
	failure: FailureResponse,
	openResponse: OpenResponse,
	client: StemmaClient,
	deps: ResponseErrorDependencies,
): Error {
	if ("error" in failure) return toA2aError(failure.error, openResponse, client, deps.A2aError);
	const { status, requestId, header } = openResponse;
	if (status < 400) return deps.createInvalidResponseError("is no answer to this request", requestId);
	const { text } = failure;
	const response = { status, ok: false, headers: { get: header }, text: async () => text };
	return deps.readApiError(response, text, (value) => client.redact({ value }).value);
}

/** The table itself is loaded by whoever imports it; its type sees to it that this is the same. */
const REASONS: typeof A2A_ERRORS = {
	"-32700": "PARSE_ERROR",
	"-32600": "INVALID_REQUEST",
	"-32601": "METHOD_NOT_FOUND",
	"-32602": "INVALID_PARAMS",
	"-32603": "INTERNAL_ERROR",
	"-32001": "TASK_NOT_FOUND",
	"-32002": "TASK_NOT_CANCELABLE",
	"-32003": "PUSH_NOTIFICATION_NOT_SUPPORTED",
	"-32004": "UNSUPPORTED_OPERATION",
	"-32005": "CONTENT_TYPE_NOT_SUPPORTED",
	"-32006": "INVALID_AGENT_RESPONSE",
	"-32007": "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
	"-32008": "EXTENSION_SUPPORT_REQUIRED",
	"-32009": "VERSION_NOT_SUPPORTED",
};

/** Longer ones are left out of errors. */
const MAX_DATA_CHARACTERS = 10_000;

function toA2aError(
	bindingError: BindingError,
	{ status, requestId }: OpenResponse,
	client: StemmaClient,
	ErrorClass: typeof A2aError,
): A2aError {
	const detailsText = safeStringify(bindingError.details);
	// As text: names of fields are texts, too.
	const { message, json, name } = client.redact({
		message: typeof bindingError.message === "string" ? bindingError.message : "",
		json: detailsText.length > MAX_DATA_CHARACTERS ? "" : detailsText,
		name: findReason(bindingError.details),
	});
	const reason =
		findKnownReason((known) => known === name) ??
		findKnownReason((_, code) => Number(code) === bindingError.rpcCode) ??
		bindingError.reason;
	const code = Object.entries(REASONS).find(([, known]) => known === reason)?.[0];
	return new ErrorClass(message || "The agent gave no reason.", {
		code: (reason ?? name ?? "agent_error").toLowerCase(),
		reason,
		rpcCode: bindingError.rpcCode ?? (code === undefined ? undefined : Number(code)),
		httpStatus: status,
		data: client.redact({ data: parseJson(json) }).data,
		requestId,
	});
}

const findKnownReason = (
	matches: (reason: A2aErrorReason, code: string) => boolean,
): A2aErrorReason | undefined => Object.entries(REASONS).find(([code, reason]) => matches(reason, code))?.[1];

/** Empty for what is nested too deep. */
function safeStringify(value: unknown): string {
	try {
		return JSON.stringify(value) ?? "";
	} catch {
		return "";
	}
}

function parseJson(text: string): Json | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Finds the reason in the `google.rpc.ErrorInfo` of an error's details. */
function findReason(details: unknown): string | undefined {
	for (const detail of Array.isArray(details) ? details : []) {
		const reason: unknown = detail?.reason;
		if (typeof reason === "string" && /^[A-Z][A-Z\d_]{0,62}$/.test(reason)) return reason;
	}
	return undefined;
}
