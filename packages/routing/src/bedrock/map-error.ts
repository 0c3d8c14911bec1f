import { asText, type Fields, parseObject } from "../http/fields";
import type { Refusal } from "../http/post";
import type { VendorFailure } from "../http/to-provider-error";
import type { ProviderErrorCode } from "../provider-error";
import { findRefusedField } from "./dialect";
import { HINTS, type HintContext } from "./error-hints";
import type { EventMessage } from "./event-stream";

export const NOT_THE_FORMAT: VendorFailure = { code: "bad_response" };
export const DAMAGED: VendorFailure = { code: "bad_response", hint: HINTS.damaged };
export const MALFORMED: VendorFailure = { code: "bad_response", hint: HINTS.malformed };

/** What the vendor says. */
interface Complaint {
	/** Of an HTTP answer; errors in streams have none. */
	readonly status?: number;
	/** In lower case, without `exception` at its end. */
	readonly type: string;
	/** In lower case. */
	readonly text: string;
	/** The status that the model itself failed with, behind the vendor's door. */
	readonly originalStatus?: number;
}

/** What the answer of another status than 200 stands for. */
export function readErrorAnswer({ status, headers, text }: Refusal, context: HintContext): VendorFailure {
	const body = parseObject(text) ?? { message: text };
	const type = headers.get("x-amzn-errortype") ?? asText(body.__type ?? body.code);
	return toFailure({ status, type: toType(type), ...readBody(body) }, context);
}

/** What a message that is no event stands for: an exception, or an error. */
export function readErrorMessage({ headers, body }: EventMessage): VendorFailure {
	const read = (name: string): string => asText(headers[name]?.value);
	if (read(":message-type") === "error")
		return toFailure({ type: toType(read(":error-code")), text: read(":error-message").toLowerCase() });
	if (read(":message-type") !== "exception") return NOT_THE_FORMAT;
	const fields = parseObject(new TextDecoder().decode(body)) ?? {};
	return toFailure({ type: toType(read(":exception-type")), ...readBody(fields) });
}

function readBody(body: Fields): Pick<Complaint, "text" | "originalStatus"> {
	const { message, Message, originalMessage, originalStatusCode } = body;
	const text = [message ?? Message, originalMessage].map(asText).join("\n").toLowerCase();
	return { text, ...(typeof originalStatusCode === "number" ? { originalStatus: originalStatusCode } : {}) };
}

/** `com.amazon.coral.service#ThrottlingException:http://…` is `throttling`. */
function toType(text: string): string {
	const name = text.split(":")[0]?.split("#").at(-1) ?? "";
	return name.toLowerCase().replace(/exception$/, "");
}

function toFailure(complaint: Complaint, context?: HintContext): VendorFailure {
	const rule = RULES.find(({ when }) => when(complaint));
	const code = rule?.code ?? "overloaded";
	const field = code === "bad_request" ? (rule?.field ?? findRefusedField(complaint.text)) : undefined;
	const hint = typeof rule?.hint === "function" ? rule.hint(context ?? {}) : rule?.hint;
	return {
		code,
		...(field === undefined ? {} : { field, isUnknownField: rule?.field === undefined }),
		...(hint === undefined ? {} : { hint }),
		...(complaint.status === 424 ? { isPassing: code === "overloaded" || code === "rate_limited" } : {}),
	};
}

interface Rule {
	readonly code: ProviderErrorCode;
	when(complaint: Complaint): boolean;
	readonly field?: string;
	readonly hint?: string | ((context: HintContext) => string | undefined);
}

const says =
	(words: RegExp) =>
	({ text }: Complaint): boolean =>
		words.test(text);
const is =
	(...types: string[]) =>
	({ type }: Complaint): boolean =>
		types.includes(type);
const has =
	(...statuses: number[]) =>
	({ status }: Complaint): boolean =>
		status !== undefined && statuses.includes(status);
const either =
	(...conditions: Rule["when"][]) =>
	(complaint: Complaint): boolean =>
		conditions.some((when) => when(complaint));
const both =
	(...conditions: Rule["when"][]) =>
	(complaint: Complaint): boolean =>
		conditions.every((when) => when(complaint));

const TOO_LONG =
	/(input|prompt) is too long|input tokens exceed|too many input tokens|context (length|window|limit)|maximum number of (input )?tokens/;
const isDenied = either(is("accessdenied"), has(403));
const isInvalidSignature = is("invalidsignature");
const isThrottled = either(is("throttling", "toomanyrequests"), has(429));

/** The first that holds. Words come before types, and types before the status: one type stands for several things. */
const RULES: readonly Rule[] = [
	// Who may use a model, and how it is called.
	{ code: "model_not_enabled", when: says(/use case details/), hint: HINTS.useCaseForm },
	{ code: "model_not_enabled", when: is("ftuformnotfilled"), hint: HINTS.useCaseForm },
	{ code: "model_not_enabled", when: says(/aws marketplace|aws-marketplace:/), hint: HINTS.marketplace },
	{
		code: "model_not_enabled",
		when: says(/access to the model with|access to this model is not available|model access is denied/),
		hint: HINTS.modelAccess,
	},
	{ code: "needs_inference_profile", when: says(/on-demand throughput/), hint: HINTS.inferenceProfile },
	{ code: "model_not_found", when: says(/model identifier is invalid/), hint: HINTS.modelOrRegion },
	// Who calls.
	{
		code: "expired_credential",
		when: either(is("expiredtoken", "expired"), says(/token (included in the request is|has) expired/)),
	},
	{
		code: "clock_skew",
		when: either(
			is("requesttimetooskewed", "requestexpired"),
			both(isInvalidSignature, says(/signature expired|not yet current/)),
		),
	},
	{
		code: "wrong_region",
		when: both(isInvalidSignature, says(/scoped to a valid region/)),
		hint: HINTS.signedForAnotherRegion,
	},
	{ code: "invalid_credential", when: isInvalidSignature, hint: HINTS.signature },
	{
		code: "invalid_credential",
		when: is(
			"unrecognizedclient",
			"invalidclienttokenid",
			"incompletesignature",
			"missingauthenticationtoken",
		),
		hint: HINTS.credential,
	},
	{
		code: "invalid_credential",
		when: either(has(401), says(/api key is valid|invalid api key/)),
		hint: HINTS.apiKey,
	},
	{ code: "permission", when: both(isDenied, says(/explicit deny/)), hint: HINTS.explicitDeny },
	{ code: "permission", when: both(isDenied, says(/callwithbearertoken/)), hint: HINTS.bearerAction },
	{ code: "permission", when: either(isDenied, says(/operation not allowed/)), hint: HINTS.action },
	// How much, and how often.
	{ code: "quota", when: both(isThrottled, says(/per day/)), hint: HINTS.dailyQuota },
	{ code: "quota", when: either(is("servicequotaexceeded"), has(402)), hint: HINTS.quota },
	{ code: "overloaded", when: is("modelnotready") },
	{ code: "rate_limited", when: isThrottled },
	{ code: "rate_limited", when: ({ originalStatus }) => originalStatus === 429 },
	{ code: "context_length", when: either(has(413), says(TOO_LONG)) },
	// What was asked for.
	{
		code: "bad_request",
		when: says(/maximum tokens you requested|maxtokens|max_tokens/),
		field: "inferenceConfig.maxTokens",
		hint: HINTS.maxTokens,
	},
	{ code: "content_filtered", when: says(/content filter|filtering policy|content policy/) },
	{ code: "timeout", when: either(is("modeltimeout"), has(408, 504)) },
	{
		code: "bad_request",
		when: ({ originalStatus = 0 }) => originalStatus >= 400 && originalStatus < 500 && originalStatus !== 424,
	},
	{ code: "overloaded", when: either(is("modelerror", "modelstreamerror"), has(424)) },
	{ code: "model_not_found", when: is("resourcenotfound"), hint: HINTS.modelOrRegion },
	{ code: "bad_response", when: has(404, 405) },
	{
		code: "bad_request",
		when: either(is("validation", "serialization"), ({ status = 500 }) => status < 500),
	},
];
