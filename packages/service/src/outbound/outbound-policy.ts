import type { LookupAddress } from "node:dns";
import { isLoopbackAddress } from "@stemma/protocol";
import type { Configuration } from "../configuration/configuration";
import { toAddressKind } from "./address-kind";
import { BlockedAddressError } from "./blocked-address-error";
import { type CallTarget, parseCallUrl } from "./call-target";
import { isLocalName, isMetadataName } from "./host-name";
import { type IpAddress, isWithin, parseIpAddress, toIpNetwork } from "./ip-address";
import { type OutboundAllow, parseOutboundAllow } from "./outbound-allow";

/** Policy for calls to anything besides the public internet. */
export interface OutboundPolicy {
	readonly allow: OutboundAllow;
	/** The service itself listens on loopback alone: loopback may be called then. */
	readonly allowLoopback: boolean;
}

/**
 * A service that only this machine reaches may call this machine, as long as it has one tenant: a reverse proxy may stand
 * before it.
 */
export const toOutboundPolicy = (
	{ outbound, listen }: Pick<Configuration, "outbound" | "listen">,
	countWorkspaces: () => number,
): OutboundPolicy => ({
	allow: parseOutboundAllow(outbound.allow),
	get allowLoopback() {
		return isLoopbackAddress(listen.host) && countWorkspaces() <= 1;
	},
});

/**
 * Refuses what needs no lookup: literal addresses, names of metadata, and local names where nothing is opened.
 *
 * @throws BlockedAddressError
 */
export function assertTargetAllowed(target: CallTarget, policy: OutboundPolicy): void {
	const { host, address } = target;
	const isAllowedTarget =
		address === undefined
			? !isMetadataName(host) && (!isLocalName(host) || allowsAnything(policy))
			: isAllowed(address, target, policy);
	if (!isAllowedTarget) throw toBlockedError(target);
}

/**
 * Refuses a name that leads to even one address that may not be called: another would be taken next time.
 *
 * @throws BlockedAddressError, the same for all reasons.
 */
export function assertAddressesAllowed(
	addresses: readonly LookupAddress[],
	target: CallTarget,
	policy: OutboundPolicy,
): void {
	const areAllowed = addresses.every(({ address: text }) => {
		const address = parseIpAddress(text);
		return address !== undefined && isAllowed(address, target, policy);
	});
	if (!areAllowed) throw toBlockedError(target);
}

/** A local name leads to the public internet only where somebody wants to mislead. */
function isAllowed(address: IpAddress, target: CallTarget, policy: OutboundPolicy): boolean {
	const kind = toAddressKind(address);
	if (kind === "blocked") return false;
	if (kind === "public" && (target.address !== undefined || !isLocalName(target.host))) return true;
	const { allow, allowLoopback } = policy;
	if (kind === "loopback" && (allowLoopback || allow.allowsPrivate)) return true;
	if (kind === "private" && allow.allowsPrivate) return true;
	const matchesPort = ({ port = target.port }: { readonly port?: number | undefined }): boolean =>
		port === target.port;
	return (
		allow.hosts.some((allowed) => allowed.host === target.host && matchesPort(allowed)) ||
		allow.networks.some((allowed) => isWithin(toIpNetwork(address), allowed.network) && matchesPort(allowed))
	);
}

const allowsAnything = ({ allow, allowLoopback }: OutboundPolicy): boolean =>
	allowLoopback || allow.allowsPrivate || allow.hosts.length + allow.networks.length > 0;

/**
 * Checks whether an address that may be called is one that the operator has allowed: a host of its list, an address of
 * a private network, or a local name. For calls that are not trusted to the public internet.
 *
 * @throws BlockedAddressError `malformed`
 */
export function isAllowlisted(url: string, { allow }: OutboundPolicy): boolean {
	const { host, port, address } = parseCallUrl(url).target;
	if (address !== undefined && toAddressKind(address) !== "public") return true;
	const isListed = allow.hosts.some((allowed) => allowed.host === host && (allowed.port ?? port) === port);
	return isListed || (address === undefined && isLocalName(host));
}

const SHOWN_CHARACTERS = 260;

/** Tells the host as it was written, and nothing that it leads to. */
const toBlockedError = ({ host, address }: CallTarget): BlockedAddressError =>
	new BlockedAddressError(
		"not_public",
		address === undefined
			? `${host.slice(0, SHOWN_CHARACTERS)} cannot be called: it is not a name of the public internet alone.`
			: `${host} cannot be called: it is not an address of the public internet.`,
	);
