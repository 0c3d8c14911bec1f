const HOW_TO_PASS_KEY = "Pass it with --api-key-stdin or --api-key-env <name>";

/** Hints for the command line when the service refuses settings, by the code of its error. */
export const SETTINGS_HINTS: Readonly<Record<string, string>> = {
	not_set: "Store settings first, or pass what to test. Examples: stemma settings --help",
	api_key_required: `${HOW_TO_PASS_KEY}; --no-api-key for an endpoint without one.`,
	credential_undecryptable: `${HOW_TO_PASS_KEY}, or ask the operator for the key that it was encrypted with.`,
	credential_required: `${HOW_TO_PASS_KEY}: a Bedrock API key, ACCESS_KEY_ID:SECRET_ACCESS_KEY, or the JSON that the AWS command line prints.`,
};
