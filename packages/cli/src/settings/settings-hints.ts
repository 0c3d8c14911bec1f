const HOW_TO_PASS_KEY = "Give it with --api-key-stdin or --api-key-env <name>";

/** Hints for the command line when the service refuses settings, by the code of its error. */
export const SETTINGS_HINTS: Readonly<Record<string, string>> = {
	not_set: "Set something first, or say what to test. Examples: stemma settings --help",
	api_key_required: `${HOW_TO_PASS_KEY}; --no-api-key for an endpoint without one.`,
	credential_undecryptable: `${HOW_TO_PASS_KEY}, or ask the operator for the encryption key that it was sealed with.`,
	credential_required: `${HOW_TO_PASS_KEY}: a Bedrock API key, ACCESS_KEY_ID:SECRET_ACCESS_KEY, or the JSON that the AWS command line prints.`,
};
