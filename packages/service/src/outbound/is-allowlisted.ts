import { toAddressKind } from "./address-kind";
import { parseCallUrl } from "./call-target";
import { isLocalName } from "./host-name";
import type { OutboundPolicy } from "./outbound-policy";

/**
 * Whether a place that may be called is one that the operator has opened: a host of its list, an address of a network of
 * one's own, or a local name. For what the public internet is not trusted with.
 *
 * @throws BlockedAddressError `malformed`
 */
export function isAllowlisted(url: string, { allow }: OutboundPolicy): boolean {
	const { host, port, address } = parseCallUrl(url).target;
	if (address !== undefined && toAddressKind(address) !== "public") return true;
	const isListed = allow.hosts.some((allowed) => allowed.host === host && (allowed.port ?? port) === port);
	return isListed || (address === undefined && isLocalName(host));
}
