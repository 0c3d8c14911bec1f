import { asText, parseObject } from "../../http/lenient-json";
import type { ErrorResponse } from "../../http/send-with-retry";
import type { VendorFailure } from "../../http/to-provider-error";
import type { ProviderErrorCode } from "../../provider-error";
import type { BatchFailure } from "../send-batch";

/** Failure of a response that does not have the format of Text Embeddings Inference. */
export const UNEXPECTED_FORMAT: VendorFailure = { code: "bad_response" };

/** The error that `{error, error_type}` or, from what stands before the server, a status alone stands for. */
export function readError({ status, text }: Pick<ErrorResponse, "status" | "text">): BatchFailure {
	const { error, error_type: type } = parseObject(text) ?? {};
	const errorText = asText(error).toLowerCase();
	if (/maximum allowed batch size/.test(errorText)) return { ...TOO_LONG, exceededLimit: "count" };
	if (status === 413) return { ...TOO_LONG, exceededLimit: "length" };
	if (/not a re-?rank/.test(errorText)) return { code: "bad_request", hint: NO_RERANKER };
	const code = toTypeCode(type) ?? toStatusCode(status);
	return code === "bad_request" ? { code, hint: "Check that the server runs a reranking model." } : { code };
}

const TOO_LONG: VendorFailure = {
	code: "context_length",
	hint: "Send shorter passages, or start the server with a higher `--payload-limit`.",
};
const NO_RERANKER =
	"Start the server with a reranking model: a sequence classifier with one class, as `BAAI/bge-reranker-v2-m3`.";

const TYPES: { readonly [type: string]: ProviderErrorCode | undefined } = {
	// Its 429 is about the server's own queue, not about an account.
	overloaded: "overloaded",
	unhealthy: "overloaded",
	backend: "overloaded",
	validation: "bad_request",
	tokenizer: "bad_request",
	empty: "bad_request",
};

const toTypeCode = (type: unknown): ProviderErrorCode | undefined => {
	const name = String(type).toLowerCase();
	return Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
};

const STATUSES: ReadonlyMap<number, ProviderErrorCode> = new Map([
	[401, "invalid_credential"],
	[402, "quota"],
	[403, "permission"],
	[404, "bad_response"],
	[405, "bad_response"],
	[408, "timeout"],
	[424, "overloaded"],
	[429, "rate_limited"],
	[504, "timeout"],
]);

const toStatusCode = (status: number): ProviderErrorCode =>
	STATUSES.get(status) ?? (status >= 400 && status < 500 ? "bad_request" : "overloaded");
