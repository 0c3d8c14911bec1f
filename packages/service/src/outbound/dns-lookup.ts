import { type LookupAddress, Resolver, lookup as systemLookup } from "node:dns";
import { trimEndOf } from "@stemma/core/internal";
import type { LookupAll } from "./checked-connector";
import { isLocalName } from "./host-name";
import type { OutboundAllow } from "./outbound-allow";

/** A name server that is silent is asked again once. */
const RESOLVER_OPTIONS = { timeout: 3000, tries: 2 };

/**
 * Looks names up by asking name servers directly: the system's own lookup takes turns with everything else of the process,
 * so that a few names whose servers are silent would hold up all calls. The system is asked for local names and for hosts
 * that the operator has opened, which may stand in a file of the machine alone.
 *
 * @param servers - addresses of name servers, with ports; default: those of the system.
 */
export function createDnsLookup({ hosts }: OutboundAllow, servers?: readonly string[]): LookupAll {
	const resolver = new Resolver(RESOLVER_OPTIONS);
	if (servers !== undefined) resolver.setServers(servers);
	const allowedHosts = new Set(hosts.map(({ host }) => host));
	return (hostname, options, callback) => {
		const host = trimEndOf(hostname.toLowerCase(), ".");
		if (isLocalName(host) || allowedHosts.has(host)) systemLookup(host, options, callback);
		else void resolve(resolver, host).then(({ error, addresses }) => callback(error, addresses));
	};
}

interface DnsResult {
	readonly error: NodeJS.ErrnoException | null;
	readonly addresses: readonly LookupAddress[];
}

/** Both families: one of them may be missing. */
async function resolve(resolver: Resolver, hostname: string): Promise<DnsResult> {
	const [ipv4, ipv6] = await Promise.all([
		query(resolver, "resolve4", hostname, 4),
		query(resolver, "resolve6", hostname, 6),
	]);
	const addresses = [...ipv4.addresses, ...ipv6.addresses];
	return { error: addresses.length === 0 ? (ipv4.error ?? ipv6.error) : null, addresses };
}

const query = (
	resolver: Resolver,
	method: "resolve4" | "resolve6",
	hostname: string,
	family: 4 | 6,
): Promise<DnsResult> =>
	new Promise((done) => {
		resolver[method](hostname, (error, addresses) =>
			done(
				error === null
					? { error, addresses: addresses.map((address) => ({ address, family })) }
					: { error, addresses: [] },
			),
		);
	});
