import { listEmbeddedIpv4 } from "./embedded-ipv4";
import { type IpAddress, type IpNetwork, isWithin, toIpNetwork, toIpNetworks } from "./ip-address";

/**
 * - `public`: of the public internet.
 * - `loopback`: this machine.
 * - `private`: of a network of one's own: RFC 1918, `fc00::/7`, and the shared range `100.64.0.0/10`.
 * - `reserved`: for anything else, such as documentation, tests and tunnels.
 * - `closed`: never called, whatever an operator opens: link-local, metadata of clouds, and what is no single host.
 */
export type AddressKind = "public" | "loopback" | "private" | "reserved" | "blocked";

/** Addresses that are always blocked, also where IPv6 embeds them. */
const ALWAYS_BLOCKED = toIpNetworks([
	// Link-local, which is where most clouds have their metadata and credentials.
	"169.254.0.0/16",
	"fe80::/10",
	// Amazon.
	"fd00:ec2::/32",
	// Alibaba.
	"100.100.100.200",
	// Azure; by its range it is public.
	"168.63.129.16",
	// Google.
	"fd20:ce::254",
	// Oracle.
	"192.0.0.192",
	// Scaleway.
	"fd00:42::42",
]);

/** Unspecified, multicast, broadcast. */
const NO_HOST = toIpNetworks(["0.0.0.0/8", "224.0.0.0/4", "255.255.255.255", "::", "ff00::/8"]);

/** The only range of IPv6 that is handed out for the public internet. */
const GLOBAL_UNICAST = toIpNetworks(["2000::/3"]);
/** Networks without IPv4 reach the public IPv4 internet by it. */
const NAT64 = toIpNetworks(["64:ff9b::/96"]);

export function toAddressKind(address: IpAddress): AddressKind {
	const self = toIpNetwork(address);
	const embedded = listEmbeddedIpv4(address);
	if ([address, ...embedded].some((each) => isAlwaysBlocked(toIpNetwork(each)))) return "blocked";
	if (isInOneOf(self, NO_HOST)) return "blocked";
	const range = address.range();
	if (range === "loopback") return "loopback";
	if (range === "private" || range === "carrierGradeNat" || range === "uniqueLocal") return "private";
	const isPublic =
		isInOneOf(self, NAT64) ||
		(range === "unicast" && (address.kind() === "ipv4" || isInOneOf(self, GLOBAL_UNICAST)));
	return isPublic && embedded.every((each) => toAddressKind(each) === "public") ? "public" : "reserved";
}

/** Checks whether all addresses of a range are always blocked, so that no operator can allow them. */
export const isAlwaysBlocked = (network: IpNetwork): boolean => isInOneOf(network, ALWAYS_BLOCKED);

const isInOneOf = (network: IpNetwork, ranges: readonly IpNetwork[]): boolean =>
	ranges.some((range) => isWithin(network, range));
