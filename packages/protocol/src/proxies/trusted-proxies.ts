import { BlockList, isIP } from "node:net";
import { type ForwardingHop, parseForwarded, parseForwardedFor } from "./forwarding-hops";

/** Client of a request, as the proxies between tell. */
export interface ForwardedClient {
	/** IP address; left out where there is no connection. */
	readonly address: string | undefined;
	/** True where the proxies say that the client sent the request over HTTPS. */
	readonly isSecure: boolean;
}

/** Proxies whose word about clients counts. */
export interface TrustedProxies {
	/**
	 * Finds the client of a request. From the connection on, each address is asked for the one before, as long as it is that of
	 * a trusted proxy: `X-Forwarded-For` or `Forwarded` (RFC 7239). What a client itself puts into these headers is never
	 * reached. Where both are there and differ, one may be the client's, and neither counts.
	 *
	 * @param peer - address of the other end of the connection.
	 * @param readHeader - reads a header by its name in lower case.
	 */
	findClient(peer: string | undefined, readHeader: (name: string) => string | undefined): ForwardedClient;
}

const LOOPBACK = "loopback";

/** @param entries - addresses, ranges (`10.0.0.0/8`), or `loopback`. @throws TypeError for one that is none of these. */
export function createTrustedProxies(entries: readonly string[]): TrustedProxies {
	const trusted = new BlockList();
	for (const entry of entries) {
		const added = entry === LOOPBACK ? ["127.0.0.0/8", "::1"] : [entry];
		for (const text of added) addNetwork(trusted, text);
	}
	const isTrusted = (address: string): boolean =>
		trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
	return {
		findClient(peer, readHeader) {
			const address = peer?.replace(/%.*$/, "");
			if (address === undefined || isIP(address) === 0 || !isTrusted(address))
				return { address: peer, isSecure: false };
			const chains = [
				readChain(readHeader("x-forwarded-for"), parseForwardedFor),
				readChain(readHeader("forwarded"), parseForwarded),
			].filter((chain) => chain !== undefined);
			const found = chains.map((chain) => followHops(address, chain, isTrusted));
			const [first, second] = found;
			const isClear = second === undefined || first?.address === second.address;
			const [scheme = ""] = readHeader("x-forwarded-proto")?.split(",") ?? [];
			const isHttps = scheme.trim().toLowerCase() === "https";
			return {
				address: isClear ? (first?.address ?? peer) : peer,
				isSecure: isHttps || found.some(({ scheme }) => scheme === "https"),
			};
		},
	};
}

/** True for an entry that {@link createTrustedProxies} takes. A range of all addresses is none: any client could name any address. */
export const isTrustedProxyEntry = (entry: string): boolean =>
	entry === LOOPBACK || parseNetwork(entry) !== undefined;

interface Network {
	readonly address: string;
	readonly prefix: number;
	readonly family: "ipv4" | "ipv6";
}

function parseNetwork(text: string): Network | undefined {
	const [address = "", bits, ...rest] = text.split("/");
	const version = isIP(address);
	if (version === 0 || address.includes("%") || rest.length > 0) return undefined;
	const width = version === 6 ? 128 : 32;
	const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : 0;
	if (prefix < 1 || prefix > width) return undefined;
	return { address, prefix, family: version === 6 ? "ipv6" : "ipv4" };
}

function addNetwork(list: BlockList, entry: string): void {
	const network = parseNetwork(entry);
	if (network === undefined) throw new TypeError(`${entry} is neither an address nor a range.`);
	list.addSubnet(network.address, network.prefix, network.family);
}

const readChain = (
	header: string | undefined,
	parse: (header: string) => readonly ForwardingHop[],
): readonly ForwardingHop[] | undefined => (header === undefined ? undefined : parse(header));

/** Goes from hop to hop towards the client, up to the first address that is not a trusted proxy's. */
function followHops(
	peer: string,
	hops: readonly ForwardingHop[],
	isTrusted: (address: string) => boolean,
): ForwardingHop {
	let client: ForwardingHop = { address: peer };
	for (const hop of [...hops].reverse()) {
		if (hop.address === undefined) return { ...client, scheme: hop.scheme };
		client = hop;
		if (!isTrusted(hop.address)) return client;
	}
	return client;
}
