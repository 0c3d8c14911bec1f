import { DomainError } from "../../errors/domain-error";
import { MAX_PASSKEYS_PER_USER } from "../people-limits";

/** Error of a sign-in by a passkey that does not hold. Nobody learns why. */
export const passkeyInvalid = (cause?: unknown): DomainError =>
	new DomainError("passkey_invalid", "This passkey did not sign you in.", {
		hint: "Try again. If it fails again, the passkey was removed or was made for another address: sign in with a link, and add a passkey.",
		cause,
	});

/** Error of a passkey that cannot be added. */
export const passkeyNotCreated = (cause?: unknown): DomainError =>
	new DomainError("passkey_not_created", "This passkey could not be added.", {
		hint: "Ask for it again with POST /v1/passkeys/options, and send it within five minutes from the same browser. It must verify the person, and not be added yet.",
		cause,
	});

/** Error of what outlives a session, in one by the link of somebody else, who may be the one who adds it. */
export const ownSignInRequired = (): DomainError =>
	new DomainError(
		"own_sign_in_required",
		"You are signed in by a link that somebody else has made, and this account has another way to sign in.",
		{
			hint: "Sign in with a passkey that you have, or at your issuer, and try again. If you have lost all passkeys, an admin removes them first.",
		},
	);

export const passkeyNotFound = (): DomainError =>
	new DomainError("passkey_not_found", "There is no such passkey here, or none any more.");

export const tooManyPasskeys = (): DomainError =>
	new DomainError("too_many_passkeys", `You have ${MAX_PASSKEYS_PER_USER} passkeys, the maximum.`, {
		hint: "Remove one that you do not use any more.",
	});

/** Error of an address that passkeys cannot be for. */
export const passkeysUnavailable = (): DomainError =>
	new DomainError("passkeys_unavailable", "Passkeys need a name as their address, which nobody can change.", {
		hint: "The operator sets listen.public_url (STEMMA_LISTEN_PUBLIC_URL) to the address of the service by name, such as https://stemma.example; on the machine itself, open http://localhost with the port of the service.",
	});
