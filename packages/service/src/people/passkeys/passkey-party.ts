import { toPageOrigin } from "../sign-in-links";
import { passkeysUnavailable } from "./passkey-errors";

/** Party that passkeys are for: the relying party of WebAuthn. */
export interface PasskeyParty {
	/** Host without port. */
	readonly id: string;
	/** Origin of its pages. */
	readonly origin: string;
}

/**
 * Finds the party of a deployment: its public address, else `localhost`. The address that a request names is no other one, as
 * its sender chose it.
 *
 * @param requestOrigin - origin that the request was sent to.
 * @throws DomainError `passkeys_unavailable` for an IP address, and without a public address elsewhere than on the machine.
 */
export function toPasskeyParty(publicOrigin: string | undefined, requestOrigin: string): PasskeyParty {
	const origin = toPageOrigin(publicOrigin ?? requestOrigin);
	const { hostname, protocol } = new URL(origin);
	const isLocal = hostname === "localhost";
	// The parser of URLs writes all spellings of addresses like this.
	const isAddress = /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(hostname);
	const isUsable = isLocal || (publicOrigin !== undefined && protocol === "https:" && !isAddress);
	if (!isUsable) throw passkeysUnavailable();
	return { id: hostname, origin };
}
