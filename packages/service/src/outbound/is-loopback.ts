import { toAddressKind } from "./address-kind";
import { parseIpAddress } from "./ip-address";

/** Whether a host to listen on is reached from this machine alone. */
export function isLoopback(host: string): boolean {
	const address = parseIpAddress(host);
	return address === undefined ? host === "localhost" : toAddressKind(address) === "loopback";
}
