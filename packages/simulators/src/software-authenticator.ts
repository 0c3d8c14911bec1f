// Stand-in of a device with a passkey, and of the browser that shows a page to it.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Response of a browser, as JSON. */
export interface CredentialJson {
	readonly id: string;
	readonly rawId: string;
	readonly type: "public-key";
	readonly clientExtensionResults: object;
	readonly response: Readonly<Record<string, string>>;
}

/** Changes of what an authenticator and its browser do. */
export interface CeremonyChanges {
	readonly origin?: string;
	readonly partyId?: string;
	readonly challenge?: string;
	readonly counter?: number;
	/** User present is 1, user verified 4. */
	readonly flags?: number;
	readonly userHandle?: string;
}

/** Options of the service for a ceremony. */
interface CeremonyOptions {
	readonly challenge: string;
	readonly rp?: { readonly id: string };
	readonly rpId?: string;
	readonly user?: { readonly id: string };
}

/** Authenticator with one passkey, in a browser that shows pages of one origin. */
export interface SoftwareAuthenticator {
	readonly credentialId: string;
	/** Makes the passkey. */
	register(options: unknown, changes?: CeremonyChanges): CredentialJson;
	/** Signs in with it; counts one more each time. */
	authenticate(options: unknown, changes?: CeremonyChanges): CredentialJson;
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const ATTESTED = 64;

const hash = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const encode = (data: string | Buffer): string => Buffer.from(data).toString("base64url");

/** Makes an authenticator as WebAuthn Level 3 (section 6) describes it, with P-256 and no attestation. */
export function createSoftwareAuthenticator(pageOrigin: string): SoftwareAuthenticator {
	const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const id = randomBytes(32);
	const credentialId = encode(id);
	const { x = "", y = "" } = publicKey.export({ format: "jwk" });
	let userHandle = "";
	let counter = 0;

	const toClientData = (type: string, { challenge }: CeremonyOptions, changes: CeremonyChanges): Buffer =>
		Buffer.from(
			JSON.stringify({
				type,
				challenge: changes.challenge ?? challenge,
				origin: changes.origin ?? pageOrigin,
				crossOrigin: false,
			}),
		);
	function toAuthenticatorData(partyId: string, flags: number, count: number, attested: Buffer): Buffer {
		const counterBytes = Buffer.alloc(4);
		counterBytes.writeUInt32BE(count);
		return Buffer.concat([hash(partyId), Buffer.from([flags]), counterBytes, attested]);
	}
	const toJson = (response: Readonly<Record<string, string>>): CredentialJson => ({
		...{ id: credentialId, rawId: credentialId, type: "public-key", clientExtensionResults: {}, response },
	});
	return {
		credentialId,
		register(given, changes = {}) {
			const options = given as CeremonyOptions;
			userHandle = options.user?.id ?? "";
			const coseKey = encodeMap([
				[encodeInteger(1), encodeInteger(2)],
				[encodeInteger(3), encodeInteger(-7)],
				[encodeInteger(-1), encodeInteger(1)],
				[encodeInteger(-2), encodeBytes(Buffer.from(x, "base64url"))],
				[encodeInteger(-3), encodeBytes(Buffer.from(y, "base64url"))],
			]);
			const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
			const data = toAuthenticatorData(
				changes.partyId ?? options.rp?.id ?? "",
				(changes.flags ?? USER_PRESENT | USER_VERIFIED) | ATTESTED,
				changes.counter ?? counter,
				attested,
			);
			const attestation = encodeMap([
				[encodeText("fmt"), encodeText("none")],
				[encodeText("attStmt"), encodeMap([])],
				[encodeText("authData"), encodeBytes(data)],
			]);
			return toJson({
				clientDataJSON: encode(toClientData("webauthn.create", options, changes)),
				attestationObject: encode(attestation),
			});
		},
		authenticate(given, changes = {}) {
			const options = given as CeremonyOptions;
			counter += 1;
			const data = toAuthenticatorData(
				changes.partyId ?? options.rpId ?? "",
				changes.flags ?? USER_PRESENT | USER_VERIFIED,
				changes.counter ?? counter,
				Buffer.alloc(0),
			);
			const clientData = toClientData("webauthn.get", options, changes);
			return toJson({
				clientDataJSON: encode(clientData),
				authenticatorData: encode(data),
				signature: encode(sign("sha256", Buffer.concat([data, hash(clientData)]), privateKey)),
				userHandle: changes.userHandle ?? userHandle,
			});
		},
	};
}

/** Head of an item of CBOR (RFC 8949, section 3) of less than 65,536. */
function encodeHead(major: number, value: number): Buffer {
	const type = major << 5;
	if (value < 24) return Buffer.from([type | value]);
	return value < 256 ? Buffer.from([type | 24, value]) : Buffer.from([type | 25, value >> 8, value & 255]);
}

const encodeInteger = (value: number): Buffer =>
	value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
const encodeBytes = (bytes: Buffer): Buffer => Buffer.concat([encodeHead(2, bytes.length), bytes]);
const encodeText = (text: string): Buffer => Buffer.concat([encodeHead(3, text.length), Buffer.from(text)]);
const encodeMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
	Buffer.concat([encodeHead(5, entries.length), ...entries.flat()]);
