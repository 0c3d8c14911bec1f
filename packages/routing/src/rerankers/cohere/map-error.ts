import { parseJson } from "@stemma/core/internal";
import { asObject, type Fields } from "../../http/lenient-json";
import type { ErrorResponse } from "../../http/send-with-retry";
import type { VendorFailure } from "../../http/to-provider-error";
import type { ProviderErrorCode } from "../../provider-error";
import type { BatchFailure } from "../send-batch";

/** Failure of a response that does not have the format of Cohere's rerank API. */
export const UNEXPECTED_FORMAT: VendorFailure = { code: "bad_response" };

/** Vendor's error text, in lower case, and its status. */
interface ErrorText {
	readonly status: number | undefined;
	readonly text: string;
}

/** The error in a body that came with status 200, if it is one. */
export function readFailure(body: Fields): VendorFailure | undefined {
	const { status, text } = readErrorText(body);
	return text === "" ? undefined : toFailure({ status, text });
}

/** The error that an answer with another status than 200 stands for. */
export function readError({ status, text: body }: Pick<ErrorResponse, "status" | "text">): BatchFailure {
	const parsed = parseJson(body);
	const { text } = readErrorText(parsed === undefined ? { message: body } : asObject(parsed));
	const failure = toFailure({ status, text });
	if (TOO_MANY.test(text)) return { ...failure, code: "context_length", exceededLimit: "count" };
	return status === 413 || BATCH_TOKENS.test(text) ? { ...failure, exceededLimit: "length" } : failure;
}

/** `{message}` (Cohere), `{detail}` (Jina, Voyage) or `{error: {message, type, code}}` (Together, llama.cpp). */
function readErrorText(body: Fields): ErrorText {
	const error = asObject(body.error);
	const parts = [error.code, error.type, error.message, body.error, body.message, body.detail];
	const status = [error.code, body.status, body.code].map(Number).find((code) => code >= 400 && code < 600);
	return { status, text: parts.filter(Boolean).map(toText).join("\n").toLowerCase() };
}

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function toFailure(errorText: ErrorText): VendorFailure {
	const code = RULES.find(([, matches]) => matches(errorText))?.[0] ?? "overloaded";
	const field =
		code === "bad_request" ? FIELDS.find((name) => mentionsField(errorText.text, name)) : undefined;
	const hint = errorText.status === 501 ? NO_RERANKER : HINTS[code];
	// llama.cpp says with status 500 that a text is too long; it would not be shorter the next time.
	const retryFields = code === "context_length" ? { isTransient: false } : {};
	return {
		code,
		...retryFields,
		...(field === undefined ? {} : { field }),
		...(hint === undefined ? {} : { hint }),
	};
}

/** The first that holds. Words come before the status where vendors use one status for several things. */
const RULES: readonly (readonly [ProviderErrorCode, (errorText: ErrorText) => boolean])[] = [
	["quota", ({ status, text }) => status === 402 || QUOTA.test(text)],
	["context_length", ({ status, text }) => status === 413 || (status !== 429 && LENGTH.test(text))],
	["invalid_credential", ({ status, text }) => status === 401 || status === 498 || CREDENTIAL.test(text)],
	["rate_limited", ({ status, text }) => status === 429 || /rate.?limit|too many requests/.test(text)],
	["permission", ({ status }) => status === 403],
	["model_not_found", ({ status, text }) => MODEL.test(text) || (status === 404 && text.includes("model"))],
	["bad_response", ({ status }) => status === 404 || status === 405 || status === 501],
	["timeout", ({ status }) => status === 408 || status === 504],
	["bad_request", ({ status }) => status !== undefined && status < 500],
];
/** Cohere's trial keys have a monthly limit, which it tells with status 429. */
const QUOTA =
	/insufficient[_ ](account )?(quota|balance|credit|funds)|calls \/ month|credit balance|billing details/;
const BATCH_TOKENS = /tokens per submitted batch|tokens in the batch/;
const TOO_MANY =
	/maximum allowed batch size|too many documents|number of documents|documents (cannot|must not|can't) exceed/;
const LENGTH = new RegExp(
	`${BATCH_TOKENS.source}|too large to process|context (length|window|size)|too long|too many (input )?tokens|token limit`,
);
const CREDENTIAL =
	/(invalid|incorrect) api (key|token)|api (key|token) (is |was )?(invalid|not valid)|no api key/;
const MODEL =
	/model_not_|model does not exist|model \S+ (is not|not|does not) (supported|found|exist|available)|unable to access model/;

const FIELDS = ["model", "query", "documents", "top_n", "top_k", "return_documents"];
const mentionsField = (text: string, name: string): boolean => new RegExp(`["'\`]${name}["'\`]`).test(text);

const NO_RERANKER =
	"Set {baseUrl} to a server that serves a reranking model; llama.cpp is started with `--reranking`.";
const HINTS: Readonly<Partial<Record<ProviderErrorCode, string>>> = {
	context_length: "Send fewer or shorter passages, or set `model` to one that takes more.",
	bad_request: "Check `model`, and set `vendor` to whose variant of the format the endpoint speaks.",
};
