import { throwOptionError } from "../../http/call-options";

const HINT =
	"Write AWS keys as `ACCESS:SECRET`, as `ACCESS:SECRET:REGION:SESSION_TOKEN` (REGION may be empty), or as a JSON " +
	"object with `access_key_id`, `secret_access_key` and, for temporary ones, `session_token`. Write a Bedrock API key " +
	"as it was issued, alone.";

/**
 * Refuses a credential, without a word of what is in it.
 *
 * @throws ConfigurationError `invalid_credential`
 */
export function rejectCredential(requirement: string): never {
	throwOptionError("credential", requirement, { code: "invalid_credential", hint: HINT });
}
