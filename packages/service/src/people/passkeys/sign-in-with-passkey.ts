import { clock } from "@stemma/core/internal";
import type { AuditEntry } from "../../audit/audit-record";
import type { Confirmations } from "../oidc/confirmations";
import { createSessionInsert, type SignInContext } from "../sessions";
import type { SignedIn } from "../sign-in";
import type { StoredMember } from "../stored-people";
import { passkeyInvalid } from "./passkey-errors";
import type { PasskeyRepository } from "./passkey-repository";
import { toUserHandle, type UserHandleKey } from "./user-handle";
import { type AuthenticationResponse, type CeremonyExpectation, verifyAuthentication } from "./webauthn";

/** Requirements of a sign-in with a passkey. */
export interface PasskeySignIn {
	readonly response: AuthenticationResponse;
	readonly expected: CeremonyExpectation;
	readonly userHandleKey: UserHandleKey;
}

export interface PasskeySignInParts extends Pick<Confirmations, "assertConfirmed"> {
	readonly passkeys: PasskeyRepository;
}

/**
 * Signs a person in with a passkey, whose challenge the caller has completed.
 *
 * @throws DomainError `passkey_invalid` for one that is unknown, of a removed member or for another party, and for a response
 * that does not hold: of another origin, party or challenge, without verification of the person, or whose counter went back;
 * `issuer_sign_in_required`
 */
export async function signInWithPasskey(
	{ passkeys, assertConfirmed }: PasskeySignInParts,
	{ response, expected, userHandleKey }: PasskeySignIn,
	context: SignInContext,
): Promise<SignedIn> {
	const found = await passkeys.findByCredential(response.id);
	if (found === undefined) throw passkeyInvalid();
	const { passkey, member } = found;
	const handle = Buffer.from(toUserHandle(userHandleKey, passkey)).toString("base64url");
	if (passkey.party_id !== expected.party.id || response.response.userHandle !== handle)
		throw passkeyInvalid();
	const counter = await verifyAuthentication(response, passkey, expected).catch((error: unknown) => {
		throw passkeyInvalid(error);
	});
	// Not before the passkey is proven: nobody else learns where the person has an account.
	await assertConfirmed(member);
	const { secret, insert } = createSessionInsert(context, passkey.reach);
	const use = { ...insert, counter, previousCounter: passkey.counter, usedAt: clock.now() };
	const toAudit = ({ id, role }: StoredMember): AuditEntry => ({
		...{ actor: id, action: "member.signed_in", target: id, requestId: context.requestId },
		details: { role, passkey: passkey.id },
	});
	const signedIn = await passkeys.signIn(passkey.id, use, toAudit);
	if (signedIn === undefined || signedIn.member.id !== member.id) throw passkeyInvalid();
	return { ...signedIn, secret };
}
