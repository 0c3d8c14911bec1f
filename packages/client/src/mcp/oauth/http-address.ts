import { McpOAuthError } from "./oauth-error";

/** An absolute `http` or `https` address in parts. By hand: React Native's own `URL` lacks most of them. */
export interface HttpAddress {
	/** Address as it was written. */
	readonly href: string;
	/** Origin in lower case, without the default port. */
	readonly origin: string;
	/** Empty, or from the first slash on. */
	readonly path: string;
	/** Empty, or from the question mark on. */
	readonly query: string;
	readonly isSecure: boolean;
	/** `localhost`, `127.0.0.0/8` or `[::1]`. */
	readonly isLoopback: boolean;
}

/** Characters of RFC 3986 alone: an address may reach a command line. No user name, no fragment. */
const ADDRESS =
	/^(https?):\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?(\/[\w.~:/@!$&'()*+,;=%-]*)?(\?[\w.~:/?@!$&'()*+,;=%[\]-]*)?$/i;
const LOOPBACK = /^(localhost|([\w-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `undefined` for anything else, also for addresses with a user name or a fragment. */
export function parseAddress(text: unknown): HttpAddress | undefined {
	const [href, scheme = "", host = "", port = "", path = "", query = ""] =
		(typeof text === "string" && ADDRESS.exec(text)) || [];
	if (href === undefined) return undefined;
	const protocol = scheme.toLowerCase();
	const isSecure = protocol === "https";
	const hasPort = port !== "" && port !== (isSecure ? "443" : "80");
	const name = host.toLowerCase();
	return {
		href,
		origin: `${protocol}://${name}${hasPort ? `:${port}` : ""}`,
		path,
		query,
		isSecure,
		isLoopback: LOOPBACK.test(name),
	};
}

/**
 * An address that a server named, as one that may be used: HTTPS; and plain HTTP or the own machine only where the MCP
 * server is on the own machine itself.
 *
 * @param field - where it was named, for the error.
 * @throws McpOAuthError `insecure_address`
 */
export function assertUsableAddress(text: unknown, field: string, server: HttpAddress): HttpAddress {
	const address = parseAddress(text);
	if (address !== undefined && (address.isLoopback ? server.isLoopback : address.isSecure)) return address;
	throw new McpOAuthError(
		`\`${field}\` of the MCP server ${server.origin} is not an HTTPS address without user name and fragment.`,
		{
			code: "insecure_address",
			hint: "The metadata must name HTTPS addresses. Plain HTTP is only for servers on this machine.",
		},
	);
}
