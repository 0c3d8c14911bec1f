import type { VendorFailure } from "../http/to-provider-error";
import type { ProviderErrorCode } from "../provider-error";

/**
 * Rule that maps a vendor's error text to a code, with a hint where more is known than the code tells, and the field
 * that the error names.
 */
type Failure = readonly [code: ProviderErrorCode, pattern: RegExp, hint?: string, field?: string];

const MODEL_OR_REGION = "Check `model` for a typo, or set {baseUrl} to a region that has it.";
const CREDENTIAL =
	"Set {credential} to a valid one: an access key id that exists, temporary keys with their session token, an API key of the region of {baseUrl}.";

/**
 * The first that matches `<status>/<status of the model behind> <type>: <text>`, in lower case, where anything but the
 * marks may be missing: `403/ accessdenied: user … is not authorized …`. Words come before types, and types before the
 * status, for one type stands for several things. What matches none is a failure of the vendor's own.
 */
export const FAILURES: readonly Failure[] = [
	// Who may use a model, and how it is called.
	[
		"model_not_enabled",
		/use case details|^\S+ ftuformnotfilled:/,
		"Submit the use case details in the Bedrock console and wait for 15 minutes, or set `model` to another vendor's.",
	],
	[
		"model_not_enabled",
		/aws marketplace|aws-marketplace:/,
		"Let someone with `aws-marketplace:Subscribe` and `aws-marketplace:ViewSubscriptions` make the first call, which subscribes, or set `model` to another.",
	],
	[
		"model_not_enabled",
		/access to the model with|access to this model is not available|model access is denied/,
	],
	["needs_inference_profile", /on-demand throughput/],
	["model_not_found", /model identifier is invalid/, MODEL_OR_REGION],
	// Who calls.
	["expired_credential", /^\S+ expired(token)?:|token (included in the request is|has) expired/, CREDENTIAL],
	[
		"clock_skew",
		/^\S+ request(timetooskewed|expired):|^(403\/ |\S+ invalidsignature):.*(signature expired|not yet current)/,
	],
	[
		"wrong_region",
		/^(403\/ |\S+ invalidsignature):.*scoped to a valid region/,
		"Set {baseUrl} to the intended region; behind a gateway, the region of {credential}.",
	],
	[
		"invalid_credential",
		/^\S+ invalidsignature:|^403\/ :.*does not match the signature/,
		"Check that the secret in {credential} is that of its access key id, and that nothing on the way to {baseUrl} changes the request.",
	],
	[
		"invalid_credential",
		/^\S+ (unrecognizedclient|invalidclienttokenid|incompletesignature|missingauthenticationtoken):|^401\/|^403\/ :.*token .*is invalid|api key is valid|invalid api key/,
		CREDENTIAL,
	],
	[
		"permission",
		/^(403\/|\S+ accessdenied:).*explicit deny/,
		"A policy of the account or its organisation denies the call, maybe in one region of the inference profile: change it, or set `model` to another.",
	],
	[
		"permission",
		/^(403\/|\S+ accessdenied:)|operation not allowed/,
		"Allow `bedrock:InvokeModel` and `bedrock:InvokeModelWithResponseStream`, and `bedrock:CallWithBearerToken` for an API key, to the identity of {credential}: on the model, or on an inference profile and its model in each of its regions.",
	],
	// How much, and how often.
	[
		"quota",
		/^(429\/|\S+ (throttling|toomanyrequests):).*per day|^402\/|^\S+ servicequotaexceeded:/,
		"Wait until tomorrow for more tokens per day, raise the limit in Service Quotas, or set `model` or {credential} to another.",
	],
	["overloaded", /^\S+ modelnotready:/],
	["rate_limited", /^(429\/|\d*\/429 |\S+ (throttling|toomanyrequests):)/],
	[
		"context_length",
		/^413\/|(input|prompt) is too long|input tokens exceed|too many input tokens|context (length|window|limit)|maximum number of (input )?tokens/,
	],
	// What was asked for.
	[
		"bad_request",
		/maximum tokens you requested|max_?tokens/,
		"Lower `maxOutputTokens` to what the model can write.",
		"inferenceConfig.maxTokens",
	],
	["content_filtered", /content filter|filtering policy|content policy/],
	["timeout", /^(408|504)\/|^\S+ modeltimeout:/],
	["bad_request", /^\d*\/4(?!24)\d\d /],
	["overloaded", /^424\/|^\S+ model(stream)?error:/],
	["model_not_found", /^\S+ resourcenotfound:/, MODEL_OR_REGION],
	["bad_response", /^40[45]\//],
	["bad_request", /^[1-4]\d\d\/|^\S+ (validation|serialization):/],
];

/**
 * Messages for the codes that no other vendor has. A hint of the failure itself takes precedence over the hint of its
 * code.
 */
export const MESSAGES: { readonly [code in ProviderErrorCode]?: Pick<VendorFailure, "what" | "hint"> } = {
	model_not_enabled: {
		what: "gives the account no access to the model yet",
		hint: "Ask for access to the model in the Bedrock console, or set `model` to another.",
	},
	needs_inference_profile: {
		what: "serves the model through inference profiles only",
		hint: "Set `model` to the id or ARN of an inference profile that holds it: most are the id behind `us.`, `eu.` or `global.`.",
	},
	wrong_region: { what: "is in another region than the credential" },
	clock_skew: {
		what: "refused the signature: the clock of this machine is wrong",
		hint: "Set the machine's clock (NTP); signatures hold for five minutes.",
	},
	invalid_credential: { what: "does not accept the credential" },
	expired_credential: { what: "refused the credential: it has expired" },
};
