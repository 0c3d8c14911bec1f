import { isLoopbackHost } from "@stemma/protocol";

const MAX_REDIRECT_URI_CHARACTERS = 2_000;

/** Address of a program on the computer of the person: with any port, as the program takes a free one (RFC 8252, section 7.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Checks whether an app may name an address that people are sent to with a code: by HTTPS, or on their own computer. A page
 * goes there, so that no other scheme is one.
 */
export function isRedirectUri(text: string): boolean {
	if (text.length > MAX_REDIRECT_URI_CHARACTERS || /[^\x21-\x7e]|[\\#]/.test(text) || !URL.canParse(text))
		return false;
	const { protocol, host, username, password } = new URL(text);
	if (username !== "" || password !== "") return false;
	return protocol === "https:" || (protocol === "http:" && isLoopbackHost(host) && LOOPBACK.test(text));
}

/** Checks whether an address is one that an app has named: to the letter, but for the port on the person's own computer. */
export const isRegisteredRedirectUri = (given: string, registered: readonly string[]): boolean =>
	isRedirectUri(given) && registered.some((uri) => uri === given || withoutPort(uri) === withoutPort(given));

const withoutPort = (uri: string): string => uri.replace(LOOPBACK, "$1");

/** Host that people are sent to; `null` for a program on their own computer. */
export function toRedirectHost(uri: string): string | null {
	const { protocol, host } = new URL(uri);
	return protocol === "https:" ? host : null;
}

/** Adds parameters to the query of a redirect address, which stays as it is. */
export function addParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
	return `${uri}${uri.includes("?") ? "&" : "?"}${query}`;
}
