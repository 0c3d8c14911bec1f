import type { OpenResponse, StemmaClient } from "../client";
import { parseJson } from "../errors/read-api-error";
import { safeStringify } from "../errors/safe-stringify";
import { toApiError } from "../errors/to-api-error";
import { A2aError, createInvalidResponseError } from "./a2a-error";
import type { BindingError, FailureResponse } from "./binding";
import { A2A_ERRORS, type A2aErrorReason } from "./wire";

/** A failure as an A2aError, where the agent says it in the protocol; as an ApiError, where something before it does. */
export function toResponseError(
	failure: FailureResponse,
	openResponse: OpenResponse,
	client: StemmaClient,
): Error {
	if ("error" in failure) return toA2aError(failure.error, openResponse, client);
	const { status, requestId } = openResponse;
	if (status < 400) return createInvalidResponseError("is not a response to this request", requestId);
	return toApiError(client, openResponse, failure.text);
}

/** Longer ones are left out of errors. */
const MAX_DATA_CHARACTERS = 10_000;

function toA2aError(
	bindingError: BindingError,
	{ status, requestId }: OpenResponse,
	client: StemmaClient,
): A2aError {
	const detailsText = safeStringify(bindingError.details) ?? "";
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
	const code = Object.entries(A2A_ERRORS).find(([, known]) => known === reason)?.[0];
	return new A2aError(message || "The agent gave no reason.", {
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
): A2aErrorReason | undefined =>
	Object.entries(A2A_ERRORS).find(([code, reason]) => matches(reason, code))?.[1];

/** Finds the reason in the `google.rpc.ErrorInfo` of an error's details. */
function findReason(details: unknown): string | undefined {
	for (const detail of Array.isArray(details) ? details : []) {
		const reason: unknown = detail?.reason;
		if (typeof reason === "string" && /^[A-Z][A-Z\d_]{0,62}$/.test(reason)) return reason;
	}
	return undefined;
}
