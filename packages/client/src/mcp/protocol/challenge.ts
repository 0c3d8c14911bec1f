/** Longer values are of no use to anybody. */
const MAX_VALUE_CHARACTERS = 1000;
const MAX_HEADER_CHARACTERS = 8192;

/** A token, with the value after it where it is a parameter. */
const PART = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+)))?/g;

/**
 * Parameters of the `Bearer` challenge in `WWW-Authenticate` (RFC 9110, section 11.6.1), by lower-case names. Values that
 * are empty, longer than 1,000 characters or hold control characters are left out; of a name given twice, the first counts.
 */
export function readBearerChallenge(header: string): ReadonlyMap<string, string> {
	const parameters = new Map<string, string>();
	let scheme = "";
	for (const [, name = "", quoted, unquoted] of header.slice(0, MAX_HEADER_CHARACTERS).matchAll(PART)) {
		const value = quoted?.replace(/\\(.)/g, "$1") ?? unquoted;
		if (value === undefined) scheme = name.toLowerCase();
		else if (scheme === "bearer" && isUsable(value) && !parameters.has(name.toLowerCase()))
			parameters.set(name.toLowerCase(), value);
	}
	return parameters;
}

const isUsable = (value: string): boolean =>
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
	value !== "" && value.length <= MAX_VALUE_CHARACTERS && !/[\x00-\x1f\x7f]/.test(value);

/** True for a refusal that asks for more scopes (RFC 6750, section 3.1). */
export const isInsufficientScope = (status: number, challenge: ReadonlyMap<string, string>): boolean =>
	status === 403 && challenge.get("error") === "insufficient_scope";
