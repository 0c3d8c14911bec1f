import { ProviderError, type ProviderErrorCode } from "../provider-error";

/** What a vendor said went wrong, in our words alone. */
export interface VendorFailure {
	readonly code: ProviderErrorCode;
	/** The field of the request that it names, if that was sent. */
	readonly field?: string;
	/** It does not know the field, or not with this model. */
	readonly isUnknownField?: boolean;
	/** What to do, where more is known than the code tells. */
	readonly hint?: string;
	/** Whether it is worth another attempt, where the status alone does not tell. */
	readonly isPassing?: boolean;
}

/** What is told of an endpoint where a call to it fails. */
export interface Endpoint {
	/** With the port where it is not the usual one. */
	readonly vendorHost: string;
	readonly model: string;
	/** Whether a credential is sent. */
	readonly hasKey: boolean;
	/** Whose answers are expected: `OpenAI's chat completions`. */
	readonly api: string;
	/** What to do where something else answers. */
	readonly baseUrlHint: string;
}

/** What an error is about, beside its kind. */
export interface ErrorCircumstances {
	readonly status?: number | undefined;
	readonly retryAfterMs?: number | undefined;
	readonly cause?: unknown;
}

/** An error in words: what happened, naming the host, and what to change. Nothing in it comes from the vendor. */
export function toProviderError(
	failure: VendorFailure,
	endpoint: Endpoint,
	circumstances: ErrorCircumstances = {},
): ProviderError {
	const { code, field } = failure;
	const { vendorHost, model, hasKey, api, baseUrlHint } = endpoint;
	const { status, retryAfterMs } = circumstances;
	const wait = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
	const [message, usualHint] = TEXTS[code]({
		host: vendorHost,
		model: JSON.stringify(model),
		hasKey,
		api,
		baseUrlHint,
		status: status === undefined ? "" : ` (status ${status})`,
		field: field === undefined ? "the request" : `\`${field}\` in the request`,
		wait,
	});
	const hint = failure.hint ?? usualHint;
	return new ProviderError(message, { code, vendorHost, hint, field, ...circumstances });
}

/** Nothing came for too long, in the middle of an answer. */
export const toSilenceError = (vendorHost: string, silenceMs: number): ProviderError =>
	new ProviderError(`${vendorHost} fell silent for ${silenceMs / 1000} s in the middle of its answer.`, {
		code: "timeout",
		vendorHost,
		hint: "Try again, or raise `timeouts.silenceMs` for a model that thinks long.",
	});

interface Words {
	readonly host: string;
	readonly model: string;
	readonly hasKey: boolean;
	readonly api: string;
	readonly baseUrlHint: string;
	readonly status: string;
	readonly field: string;
	readonly wait: string;
}

const TEXTS: Record<ProviderErrorCode, (words: Words) => readonly [message: string, hint: string]> = {
	invalid_credential: ({ host, hasKey }) =>
		hasKey
			? [
					`${host} does not accept the API key.`,
					"Set `apiKey` to a key of this endpoint that is still valid.",
				]
			: [`${host} asks for an API key.`, "Set `apiKey` to a key of this endpoint."],
	permission: ({ host, model }) => [
		`${host} does not allow this call.`,
		`Give the key the right to use ${model} there, or set \`model\` to another.`,
	],
	model_not_found: ({ host, model }) => [
		`${host} has no model ${model}, or none for this key.`,
		"Set `model` to a name that the endpoint lists.",
	],
	model_not_enabled: ({ host, model }) => [
		`The account at ${host} has no access to ${model} yet.`,
		"Ask for access to the model in the account's console, or set `model` to one that the account may use.",
	],
	needs_inference_profile: ({ host, model }) => [
		`${host} serves ${model} through inference profiles only.`,
		"Set `model` to the id or ARN of an inference profile that holds it: most are the id behind `us.`, `eu.` or `global.`.",
	],
	wrong_region: ({ host }) => [
		`${host} is in another region than the credential or the model.`,
		"Set `baseUrl` to the endpoint of the region where the model is.",
	],
	clock_skew: ({ host }) => [
		`${host} refused the signature: the clock of this machine is wrong.`,
		"Set the machine's clock (NTP); signatures hold for five minutes.",
	],
	expired_credential: ({ host }) => [
		`The credential for ${host} has run out.`,
		"Set `apiKey` to a new one; temporary credentials last hours.",
	],
	rate_limited: ({ host, wait }) => [
		`${host} is called more often than the account may.`,
		`Try again ${wait}, call less often, or raise the account's limits there.`,
	],
	quota: ({ host }) => [
		`The account at ${host} has used up its credit.`,
		"Add credit or raise the spending limit there, or set `apiKey` to the key of another account.",
	],
	context_length: ({ host, model }) => [
		`The request is longer than ${model} at ${host} takes.`,
		"Send fewer or shorter passages and messages, lower `maxOutputTokens`, or set `model` to one that takes more.",
	],
	content_filtered: ({ host }) => [
		`A content filter of ${host} stopped the call.`,
		"Rephrase the input, or set `model` to one with other filters.",
	],
	overloaded: ({ host, status, wait }) => [
		`${host} failed${status}.`,
		`Try again ${wait}, or set \`model\` to another: the fault lies there, not in the request.`,
	],
	timeout: ({ host, status }) => [
		`${host} took too long and gave up${status}.`,
		"Try again, with a shorter request or a faster `model`.",
	],
	unreachable: ({ host }) => [`Cannot reach ${host}.`, "Check `baseUrl`, and that the endpoint is up."],
	bad_response: ({ host, api, baseUrlHint, status }) => [
		`${host} does not answer as ${api} do${status}.`,
		baseUrlHint,
	],
	bad_request: ({ host, status, field }) => [
		`${host} refused ${field}${status}.`,
		"Check that the model takes what was asked for (tools, an output schema, temperature), or set `model` to another.",
	],
	stream_truncated: ({ host }) => [
		`The answer of ${host} was cut off before its end.`,
		"Try again; if it happens often, look for a proxy on the way that ends long answers.",
	],
};
