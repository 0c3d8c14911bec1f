import type {
	AuthenticationResponseJSON,
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON,
	RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { PASSKEY_ATTEMPT_TTL_MS } from "../people-limits";
import type { PasskeyParty } from "./passkey-party";
import type { StoredPasskey } from "./stored-passkey";

/** Response of a browser that has made a passkey. */
export type RegistrationResponse = RegistrationResponseJSON;
/** Response of a browser that signs in. */
export type AuthenticationResponse = AuthenticationResponseJSON;

/** Person that a passkey is made for. */
export interface PasskeyPerson {
	/** Opaque: authenticators keep one passkey for each. */
	readonly handle: Uint8Array;
	readonly email: string;
	readonly name: string;
	/** Ids of credentials that the person has. */
	readonly credentialIds: readonly string[];
}

/** Facts of a verified new passkey. */
export type VerifiedPasskey = Pick<StoredPasskey, "credential_id" | "public_key" | "counter" | "synced">;

/** Options of a ceremony: what is expected of its response. */
export interface CeremonyExpectation {
	readonly party: PasskeyParty;
	/** base64url. */
	readonly challenge: string;
}

/** EdDSA, ECDSA with P-256, RSA with SHA-256 (of COSE). */
const ALGORITHMS = [-8, -7, -257];
const PARTY_NAME = "Stemma";

/** The library brings parsers of certificates, which few processes need. */
const load = () => import("@simplewebauthn/server");

/** Options for the browser, to make a passkey: one that the authenticator finds by itself, and that verifies the person. */
export async function createRegistrationOptions(
	{ party, challenge }: CeremonyExpectation,
	{ handle, email, name, credentialIds }: PasskeyPerson,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
	const { generateRegistrationOptions } = await load();
	return generateRegistrationOptions({
		rpName: PARTY_NAME,
		rpID: party.id,
		userID: Uint8Array.from(handle),
		userName: email,
		userDisplayName: name,
		challenge: toBytes(challenge),
		attestationType: "none",
		timeout: PASSKEY_ATTEMPT_TTL_MS,
		excludeCredentials: credentialIds.map((id) => ({ id })),
		authenticatorSelection: { residentKey: "required", userVerification: "required" },
		supportedAlgorithmIDs: ALGORITHMS,
	});
}

/** Options for the browser, to sign in with any passkey of this party. */
export async function createAuthenticationOptions({
	party,
	challenge,
}: CeremonyExpectation): Promise<PublicKeyCredentialRequestOptionsJSON> {
	const { generateAuthenticationOptions } = await load();
	return generateAuthenticationOptions({
		rpID: party.id,
		challenge: toBytes(challenge),
		timeout: PASSKEY_ATTEMPT_TTL_MS,
		userVerification: "required",
	});
}

/** @throws Error where the response does not hold. */
export async function verifyRegistration(
	response: RegistrationResponse,
	{ party, challenge }: CeremonyExpectation,
): Promise<VerifiedPasskey> {
	const { verifyRegistrationResponse } = await load();
	await assertNoCertificates(response);
	const { verified, registrationInfo } = await verifyRegistrationResponse({
		response,
		expectedChallenge: challenge,
		expectedOrigin: party.origin,
		expectedRPID: party.id,
		requireUserVerification: true,
		supportedAlgorithmIDs: ALGORITHMS,
	});
	if (!verified) throw new Error("The attestation is not valid.");
	const { credential, credentialDeviceType } = registrationInfo;
	return {
		credential_id: credential.id,
		public_key: credential.publicKey,
		counter: credential.counter,
		synced: credentialDeviceType === "multiDevice" ? 1 : 0,
	};
}

/**
 * Refuses statements with certificates, which browsers leave out as they are not asked for: whoever sends one chooses the
 * addresses from which lists of revoked certificates would be fetched.
 */
async function assertNoCertificates({ response }: RegistrationResponse): Promise<void> {
	const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
	const attestation = decodeAttestationObject(toBytes(response.attestationObject));
	const format = attestation.get("fmt");
	const isPlain = format === "none" || (format === "packed" && !attestation.get("attStmt").get("x5c"));
	if (!isPlain) throw new Error("The attestation has certificates, which nobody asked for.");
}

/** Verifies a sign-in, and returns the new counter. @throws Error where the response does not hold. */
export async function verifyAuthentication(
	response: AuthenticationResponse,
	{ credential_id, public_key, counter }: StoredPasskey,
	{ party, challenge }: CeremonyExpectation,
): Promise<number> {
	const { verifyAuthenticationResponse } = await load();
	const { verified, authenticationInfo } = await verifyAuthenticationResponse({
		response,
		expectedChallenge: challenge,
		expectedOrigin: party.origin,
		expectedRPID: party.id,
		requireUserVerification: true,
		credential: { id: credential_id, publicKey: Uint8Array.from(public_key), counter },
	});
	if (!verified) throw new Error("The signature is not valid.");
	return authenticationInfo.newCounter;
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, "base64url"));
