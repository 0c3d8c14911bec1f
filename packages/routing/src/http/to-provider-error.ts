import type { TokenUsage } from "@stemma/core";
import { ProviderError, type ProviderErrorCode } from "../provider-error";
import { withOptions } from "./option-texts";

/** Failure that a vendor reported, in our own words. */
export interface VendorFailure {
	readonly code: ProviderErrorCode;
	/** The field of the request that it names, if that was sent. */
	readonly field?: string;
	/** True where the vendor does not know the field, or not with this model. */
	readonly isUnknownField?: boolean;
	/** Description of what happened, without its subject, the host; set where more is known than the code tells. */
	readonly what?: string;
	/** Hint that says what to do; set where more is known than the code tells. Options are in braces: `{baseUrl}`. */
	readonly hint?: string;
	/** Path of the option that the hint says to change. */
	readonly option?: string;
	/** True where the failure is worth another attempt; set where the status alone does not tell. */
	readonly isTransient?: boolean;
}

/** Description of an endpoint, for the error of a call that fails. */
export interface Endpoint {
	/** Host, with the port where it is not the default one. */
	readonly vendorHost: string;
	readonly model: string;
	/** True where a credential is sent. */
	readonly hasKey: boolean;
	/** API whose answers are expected: `OpenAI's chat completions`. */
	readonly api: string;
	/** Hint that says what to do where something else answers. Options are in braces: `{baseUrl}`. */
	readonly baseUrlHint: string;
}

/** Details of an error, beside its kind. */
export interface ErrorDetails {
	readonly status?: number | undefined;
	readonly retryAfterMs?: number | undefined;
	readonly cause?: unknown;
	readonly usage?: TokenUsage | undefined;
}

/** An error in words: what happened, naming the host, and what to change. Nothing in it comes from the vendor. */
export function toProviderError(
	failure: VendorFailure,
	endpoint: Endpoint,
	details: ErrorDetails = {},
): ProviderError {
	const { code, field, option } = failure;
	const { vendorHost } = endpoint;
	const { status } = details;
	const texts = toTexts(failure, endpoint, details);
	const [defaultProblem, defaultHint] = texts[code] ?? texts.overloaded;
	const { what = defaultProblem, hint = defaultHint } = failure;
	const statusText = status ? ` (status ${status})` : "";
	return withOptions(
		{ message: `${vendorHost} ${what}${statusText}.`, hint },
		(message, advice) =>
			new ProviderError(message, { code, vendorHost, hint: advice, field, option, ...details }),
	);
}

const TIMEOUT_PHRASES = {
	headersTimeoutMs: "did not answer within",
	idleTimeoutMs: "sent nothing for",
};

/** Creates the error for a call in which nothing came for too long. */
export function toTimeoutError<Option extends keyof typeof TIMEOUT_PHRASES>(
	option: Option,
	settings: Endpoint & { readonly [option in Option]: number },
): ProviderError {
	const what = `${TIMEOUT_PHRASES[option]} ${settings[option] / 1000} s`;
	const path = `timeouts.${option}`;
	const hint = `Try again, or raise {${path}}.`;
	return toProviderError({ code: "timeout", what, hint, option: path }, settings);
}

type Text = readonly [what: string, hint: string];

/** Returns the message and the hint for a code. Codes of a single vendor bring their texts with the failure. */
function toTexts(
	{ field }: VendorFailure,
	{ model, hasKey, api, baseUrlHint }: Endpoint,
	{ retryAfterMs }: ErrorDetails,
): { readonly [code in ProviderErrorCode]?: Text } & { readonly overloaded: Text } {
	const name = JSON.stringify(model);
	const orAnotherModel = ", or set `model` to another.";
	const tryAgain = `Try again${retryAfterMs ? ` in ${Math.ceil(retryAfterMs / 1000)} s` : ""}`;
	return {
		invalid_credential: [
			hasKey ? "does not accept the API key" : "asks for an API key",
			"Set {apiKey} to a valid key of this endpoint.",
		],
		permission: ["does not allow this call", `Give the key the right to use ${name}${orAnotherModel}`],
		model_not_found: [`has no model ${name} for this key`, "Set `model` to a name that the endpoint lists."],
		rate_limited: [
			"is called too often for this account",
			`${tryAgain}, call less often, or raise the limits of the account.`,
		],
		quota: [
			"reports no credit left on this account",
			"Add credit, or set {apiKey} to that of another account.",
		],
		context_length: [
			`accepts only shorter requests with ${name}`,
			`Send fewer or shorter passages, lower \`maxOutputTokens\`${orAnotherModel}`,
		],
		content_filtered: ["filtered the content of the call", `Rephrase the input${orAnotherModel}`],
		overloaded: ["failed with an internal error", tryAgain + orAnotherModel],
		timeout: ["took too long", `${tryAgain}, send less${orAnotherModel}`],
		unreachable: ["cannot be reached", "Check {baseUrl}, and that this machine may connect to it."],
		bad_response: [`does not respond as ${api} do`, baseUrlHint],
		bad_request: [
			`refused ${field === undefined ? "" : `\`${field}\` in `}the request`,
			`Check that ${name} supports what is asked for (tools, an output schema, temperature)${orAnotherModel}`,
		],
		unsupported_parameter: [
			`does not support the setting${field === undefined ? "" : ` \`${field}\``}, or not with this value`,
			`Leave it out${orAnotherModel}`,
		],
		stream_truncated: [
			"ended its answer before it was complete",
			`${tryAgain}, or look for a proxy that ends long answers.`,
		],
	};
}
