import { trimEndOf } from "@stemma/core/internal";
import { BlockedAddressError } from "./blocked-address-error";
import { type IpAddress, parseIpAddress } from "./ip-address";

/** Target of a call. */
export interface CallTarget {
	/** Host in lower case, without brackets and without dots at its end. */
	readonly host: string;
	readonly port: number;
	/** Address, where the host is an address and not a name to look up. */
	readonly address?: IpAddress | undefined;
}

export interface HostParts {
	readonly hostname: string;
	readonly protocol: string;
	/** Empty for the usual one. */
	readonly port: string;
}

/**
 * Reads a URL as it is called: the parser makes `127.0.0.1` of all its other spellings.
 *
 * @throws BlockedAddressError `malformed`, which does not repeat the URL: there may be a secret in it.
 */
export function parseCallUrl(text: string): { readonly url: URL; readonly target: CallTarget } {
	const url = URL.parse(text);
	if (url === null) return failMalformed("The address is not a URL.");
	if (url.protocol !== "http:" && url.protocol !== "https:")
		return failMalformed("The address must begin with https:// or http://.");
	if (`${url.username}${url.password}` !== "")
		return failMalformed("The address must not hold a user name or a password.");
	const target = toCallTarget(url);
	return target.host === "" ? failMalformed("The address has no host.") : { url, target };
}

/** @internal */
export function toCallTarget({ hostname, protocol, port }: HostParts): CallTarget {
	const host = trimEndOf(hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1"), ".");
	const defaultPort = protocol === "https:" ? 443 : 80;
	return { host, port: port === "" ? defaultPort : Number(port), address: parseIpAddress(host) };
}

function failMalformed(message: string): never {
	throw new BlockedAddressError("malformed", message);
}
