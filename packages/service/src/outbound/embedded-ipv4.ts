import { type IpAddress, isWithin, toIpNetwork, toIpNetworks, toIpv4 } from "./ip-address";

/** A kind of IPv6 address that carries IPv4 addresses. */
interface Embedding {
	readonly range: string;
	/** Offsets of the four bytes of each embedded IPv4 address. */
	readonly byteOffsets: readonly (readonly number[])[];
	/** Each bit is turned around. */
	readonly isInverted?: boolean;
}

const LAST = [12, 13, 14, 15];

const EMBEDDINGS: readonly Embedding[] = [
	// IPv4-compatible: RFC 4291, section 2.5.5.1.
	{ range: "::/96", byteOffsets: [LAST] },
	// IPv4-translated: RFC 2765, section 2.1.
	{ range: "::ffff:0:0:0/96", byteOffsets: [LAST] },
	// NAT64: RFC 6052, section 2.2; in the second range the place depends on a prefix that is not known here.
	{ range: "64:ff9b::/96", byteOffsets: [LAST] },
	{ range: "64:ff9b:1::/48", byteOffsets: [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], LAST] },
	// 6to4: RFC 3056, section 2.
	{ range: "2002::/16", byteOffsets: [[2, 3, 4, 5]] },
	// Teredo: RFC 4380, section 4; the server, then the client.
	{ range: "2001::/32", byteOffsets: [[4, 5, 6, 7]] },
	{ range: "2001::/32", byteOffsets: [LAST], isInverted: true },
];

const NETWORKS = toIpNetworks(EMBEDDINGS.map(({ range }) => range));

/** The IPv4 addresses that an IPv6 address carries: routers and tunnels on its way may send to these instead. */
export function listEmbeddedIpv4(address: IpAddress): readonly IpAddress[] {
	if (address.kind() === "ipv4") return [];
	const bytes = address.toByteArray();
	const pick = (byteOffsets: readonly number[], mask = 0): IpAddress =>
		toIpv4(byteOffsets.map((offset) => (bytes[offset] ?? 0) ^ mask));
	const found = EMBEDDINGS.filter((_, index) => isIn(address, index)).flatMap(({ byteOffsets, isInverted }) =>
		byteOffsets.map((offsets) => pick(offsets, isInverted ? 0xff : 0)),
	);
	return isIsatap(bytes) ? [...found, pick(LAST)] : found;
}

function isIn(address: IpAddress, index: number): boolean {
	const network = NETWORKS[index];
	return network !== undefined && isWithin(toIpNetwork(address), network);
}

/** RFC 5214, section 6.1: under any prefix `0:5efe`, or `200:5efe`, and then IPv4. */
const isIsatap = (bytes: readonly number[]): boolean =>
	((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
