import { type LookupAddress, Resolver, lookup as systemLookup } from "node:dns";
import { trimEndOf } from "@stemma/core/internal";
import type { LookupAll } from "./checked-connector";
import { isLocalName } from "./host-name";
import type { OutboundAllow } from "./outbound-allow";

/** A name server that is silent is asked again once. */
const RESOLVING = { timeout: 3000, tries: 2 };

/**
 * Looks names up by asking name servers directly: the system's own lookup takes turns with everything else of the process,
 * so that a few names whose servers are silent would hold up all calls. The system is asked for local names and for hosts
 * that the operator has opened, which may stand in a file of the machine alone.
 *
 * @param servers - addresses of name servers, with ports; default: those of the system.
 */
export function createNameLookup({ hosts }: OutboundAllow, servers?: readonly string[]): LookupAll {
	const resolver = new Resolver(RESOLVING);
	if (servers !== undefined) resolver.setServers(servers);
	const opened = new Set(hosts.map(({ host }) => host));
	return (hostname, options, callback) => {
		const host = trimEndOf(hostname.toLowerCase(), ".");
		if (isLocalName(host) || opened.has(host)) systemLookup(host, options, callback);
		else void resolve(resolver, host).then(({ error, addresses }) => callback(error, addresses));
	};
}

interface Resolved {
	readonly error: NodeJS.ErrnoException | null;
	readonly addresses: readonly LookupAddress[];
}

/** Both families: one of them may be missing. */
async function resolve(resolver: Resolver, hostname: string): Promise<Resolved> {
	const [four, six] = await Promise.all([
		ask(resolver, "resolve4", hostname, 4),
		ask(resolver, "resolve6", hostname, 6),
	]);
	const addresses = [...four.addresses, ...six.addresses];
	return { error: addresses.length === 0 ? (four.error ?? six.error) : null, addresses };
}

const ask = (
	resolver: Resolver,
	question: "resolve4" | "resolve6",
	hostname: string,
	family: 4 | 6,
): Promise<Resolved> =>
	new Promise((done) => {
		resolver[question](hostname, (error, addresses) =>
			done(
				error === null
					? { error, addresses: addresses.map((address) => ({ address, family })) }
					: { error, addresses: [] },
			),
		);
	});
