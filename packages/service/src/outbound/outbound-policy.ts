import type { LookupAddress } from "node:dns";
import { toAddressKind } from "./address-kind";
import { BlockedAddressError } from "./blocked-address-error";
import type { CallTarget } from "./call-target";
import { isLocalName, isMetadataName } from "./host-name";
import { type IpAddress, isWithin, parseIpAddress, toIpNetwork } from "./ip-address";
import type { OutboundAllow } from "./outbound-allow";

/** What may be called besides the public internet. */
export interface OutboundPolicy {
	readonly allow: OutboundAllow;
	/** The service itself listens on loopback alone: loopback may be called then. */
	readonly allowLoopback: boolean;
}

/**
 * Refuses what needs no lookup: literal addresses, names of metadata, and local names where nothing is opened.
 *
 * @throws BlockedAddressError
 */
export function refuseTarget(target: CallTarget, policy: OutboundPolicy): void {
	const { host, address } = target;
	const isCallable =
		address === undefined
			? !isMetadataName(host) && (!isLocalName(host) || opensAnything(policy))
			: isOpen(address, target, policy);
	if (!isCallable) throw toBlockedError(target);
}

/**
 * Refuses a name that leads to even one address that may not be called: another would be taken next time.
 *
 * @throws BlockedAddressError, the same for all reasons.
 */
export function refuseAddresses(
	addresses: readonly LookupAddress[],
	target: CallTarget,
	policy: OutboundPolicy,
): void {
	const areOpen = addresses.every(({ address: text }) => {
		const address = parseIpAddress(text);
		return address !== undefined && isOpen(address, target, policy);
	});
	if (!areOpen) throw toBlockedError(target);
}

/** A local name leads to the public internet only where somebody wants to mislead. */
function isOpen(address: IpAddress, target: CallTarget, policy: OutboundPolicy): boolean {
	const kind = toAddressKind(address);
	if (kind === "closed") return false;
	if (kind === "public" && (target.address !== undefined || !isLocalName(target.host))) return true;
	const { allow, allowLoopback } = policy;
	if (kind === "loopback" && (allowLoopback || allow.opensPrivate)) return true;
	if (kind === "private" && allow.opensPrivate) return true;
	const isPort = ({ port = target.port }: { readonly port?: number | undefined }): boolean =>
		port === target.port;
	return (
		allow.hosts.some((opened) => opened.host === target.host && isPort(opened)) ||
		allow.networks.some((opened) => isWithin(toIpNetwork(address), opened.network) && isPort(opened))
	);
}

const opensAnything = ({ allow, allowLoopback }: OutboundPolicy): boolean =>
	allowLoopback || allow.opensPrivate || allow.hosts.length + allow.networks.length > 0;

const SHOWN_CHARACTERS = 260;

/** Tells the host as it was written, and nothing that it leads to. */
const toBlockedError = ({ host, address }: CallTarget): BlockedAddressError =>
	new BlockedAddressError(
		"not_public",
		address === undefined
			? `${host.slice(0, SHOWN_CHARACTERS)} cannot be called: it is not a name of the public internet alone.`
			: `${host} cannot be called: it is not an address of the public internet.`,
	);
