import { toAddressKind } from "./address-kind";
import { parseIpAddress } from "./ip-address";

/** Checks whether a host to listen on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
	const address = parseIpAddress(host);
	return address === undefined ? host === "localhost" : toAddressKind(address) === "loopback";
}
