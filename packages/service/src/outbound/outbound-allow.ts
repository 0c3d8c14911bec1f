import { ConfigurationError } from "@stemma/core/errors";
import { isAlwaysBlocked } from "./address-kind";
import { isMetadataName } from "./host-name";
import { type IpNetwork, parseIpNetwork } from "./ip-address";

/** Addresses and hosts that an operator has allowed. */
export interface OutboundAllow {
	/** Private addresses, and this machine. */
	readonly allowsPrivate: boolean;
	readonly networks: readonly AllowedNetwork[];
	readonly hosts: readonly AllowedHost[];
}

/** All addresses of a range, whatever name leads there. */
export interface AllowedNetwork {
	readonly network: IpNetwork;
	/** Default: all. */
	readonly port?: number | undefined;
}

/** One name, wherever it leads. */
export interface AllowedHost {
	readonly host: string;
	/** Default: all. */
	readonly port?: number | undefined;
}

/** Opens networks of one's own (RFC 1918, `fc00::/7`, `100.64.0.0/10`) and this machine (`127.0.0.0/8`, `::1`). */
const PRIVATE = "private";

const EXPECTED_HINT =
	'Expected: a host such as "ollama.lan", an address such as "10.0.0.5" or "fd00::5", either with a port ("10.0.0.5:11434", "[fd00::5]:11434"), a range such as "10.0.0.0/8" that begins with its first address, or the word "private". There are no wildcards: open the range instead.';

export interface AllowProblem {
	/** A sentence without its subject, which is the entry. */
	readonly problem: string;
	readonly hint: string;
}

/**
 * Reads the setting `outbound.allow`. Link-local and metadata addresses stay closed, also where an entry covers them.
 *
 * @throws ConfigurationError that names the entry and what is expected.
 */
export function parseOutboundAllow(entries: readonly string[]): OutboundAllow {
	const parsed = entries.map((text, index) => {
		const entry = parseEntry(text);
		if (typeof entry === "string" || !("problem" in entry)) return entry;
		const { problem, hint } = entry;
		const option = `outbound.allow[${index}]`;
		throw new ConfigurationError(`\`${option}\` ${problem}.`, { option, hint });
	});
	return {
		allowsPrivate: parsed.includes(PRIVATE),
		networks: parsed.filter((entry) => typeof entry === "object" && "network" in entry),
		hosts: parsed.filter((entry) => typeof entry === "object" && "host" in entry),
	};
}

/** Finds the problem of one entry of `outbound.allow`; undefined where the entry is valid. */
export function findAllowProblem(text: string): AllowProblem | undefined {
	const entry = parseEntry(text);
	return typeof entry === "object" && "problem" in entry ? entry : undefined;
}

function parseEntry(text: string): AllowedNetwork | AllowedHost | typeof PRIVATE | AllowProblem {
	if (text.toLowerCase() === PRIVATE) return PRIVATE;
	const entry = parseAllowed(text);
	// There may be a password in it.
	const shown = text.includes("@") ? "an entry with user info" : JSON.stringify(shorten(text));
	if (entry === undefined)
		return {
			problem: `is ${shown}, which is neither a host nor an address nor a range`,
			hint: EXPECTED_HINT,
		};
	const isBlocked = "network" in entry ? isAlwaysBlocked(entry.network) : isMetadataName(entry.host);
	if (!isBlocked) return entry;
	const problem = `is ${shown}, which is never opened: link-local and metadata addresses hand out credentials`;
	return { problem, hint: "Leave it out." };
}

function parseAllowed(text: string): AllowedNetwork | AllowedHost | undefined {
	const whole = parseIpNetwork(text);
	if (whole !== undefined) return { network: whole };
	const [, bracketed, plain, digits] =
		/^(?:\[([\da-f:.]+)\]|([^\s:/[\]@?#%\\]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
	const host = bracketed ?? plain;
	const port = digits === undefined ? undefined : Number(digits);
	if (host === undefined || port === 0 || (port ?? 0) > 65_535) return undefined;
	const network = parseIpNetwork(host);
	if (network !== undefined) return { network, port };
	const name = bracketed === undefined ? toHostName(host) : undefined;
	return name === undefined ? undefined : { host: name, port };
}

/** Converts a host name to its form in URLs. Undefined for numbers, which URLs read as addresses. */
function toHostName(text: string): string | undefined {
	const name = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, "") ?? "";
	const isName =
		/^(?!-)[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63})*$/.test(name) && parseIpNetwork(name) === undefined;
	return isName && name.length <= 253 ? name : undefined;
}

const shorten = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
