import { toAddressKind } from "./address-kind";
import { parseCallUrl } from "./call-target";
import { isLocalName } from "./host-name";
import type { OutboundPolicy } from "./outbound-policy";

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
