import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** An address in the form that counts: IPv4 that is written as IPv6 (`::ffff:10.0.0.1`) is IPv4. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

export interface IpNetwork {
	/** First address of the range. */
	readonly address: IpAddress;
	/** Length of the prefix, in bits. */
	readonly prefix: number;
}

/** Reads `10.0.0.1`, `fd00::1` and `fe80::1%eth0`; undefined for all else, also for short and octal forms. */
export function parseIpAddress(text: string): IpAddress | undefined {
	if (isIP(text) === 0) return undefined;
	if (!isIPv6(text)) return ipaddr.IPv4.parse(text);
	const address = ipaddr.IPv6.parse(text.replace(/%.*$/, ""));
	return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Reads `10.0.0.0/8`, and an address as a range of one; undefined for all else, also for bits behind the prefix. */
export function parseIpNetwork(text: string): IpNetwork | undefined {
	const [first = "", bits, ...rest] = text.split("/");
	const address = first.includes("%") ? undefined : parseIpAddress(first);
	if (address === undefined || rest.length > 0) return undefined;
	if (bits === undefined) return toIpNetwork(address);
	const isWhole = /^\d{1,3}$/.test(bits) && Number(bits) <= widthOf(address);
	// A mapped address would be read as IPv4, but its prefix not.
	if (!isWhole || isIPv6(first) !== (address.kind() === "ipv6")) return undefined;
	return toBits(address).slice(Number(bits)).includes("1") ? undefined : { address, prefix: Number(bits) };
}

/** The ranges of a list that stands in the code. */
export const toIpNetworks = (texts: readonly string[]): readonly IpNetwork[] =>
	texts.map((text) => {
		const network = parseIpNetwork(text);
		if (network === undefined) throw new TypeError(`${text} is not a range of addresses.`);
		return network;
	});

/** An address as a range of one. */
export const toIpNetwork = (address: IpAddress): IpNetwork => ({ address, prefix: widthOf(address) });

/** Bytes of an IPv6 address that name the network of one customer (/64): its host chooses the others as it likes. */
const CUSTOMER_NETWORK_BYTES = 8;

/** The address by which limits know who connects: of IPv6 its network (/64). What is no address stays as it is. */
export function toRateLimitKey(text: string): string {
	const address = parseIpAddress(text);
	if (address === undefined) return text;
	if (address.kind() === "ipv4") return address.toString();
	const bytes = address.toByteArray().fill(0, CUSTOMER_NETWORK_BYTES);
	return `${ipaddr.fromByteArray(bytes)}/64`;
}

/** Checks whether all addresses of a range are in another range. */
export const isWithin = ({ address, prefix }: IpNetwork, network: IpNetwork): boolean =>
	address.kind() === network.address.kind() &&
	prefix >= network.prefix &&
	address.match(network.address, network.prefix);

/** The IPv4 address of four bytes. */
export const toIpv4 = (bytes: readonly number[]): IpAddress => new ipaddr.IPv4([...bytes]);

const widthOf = (address: IpAddress): number => (address.kind() === "ipv4" ? 32 : 128);

const toBits = (address: IpAddress): string =>
	address
		.toByteArray()
		.map((byte) => byte.toString(2).padStart(8, "0"))
		.join("");
