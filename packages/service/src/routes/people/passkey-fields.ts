import * as z from "zod";
import { nameField } from "./people-fields";

/** Field of bytes, base64url. */
const bytes = z
	.string()
	.min(1)
	.max(16_384)
	.regex(/^[\w-]+$/, "must be base64url");

/** Fields of a credential that browsers send. They add more from time to time, which are ignored. */
const credential = {
	id: bytes,
	rawId: bytes,
	type: z.literal("public-key"),
};

/** Response of a browser that has made a passkey: `RegistrationResponseJSON` of WebAuthn. */
const registrationField = z
	.looseObject({
		...credential,
		response: z.looseObject({ clientDataJSON: bytes, attestationObject: bytes }),
	})
	.transform(({ id, rawId, type, response: { clientDataJSON, attestationObject } }) => ({
		...{ id, rawId, type },
		clientExtensionResults: {},
		response: { clientDataJSON, attestationObject },
	}));

/** Response of a browser that signs in with a passkey: `AuthenticationResponseJSON` of WebAuthn. */
const authenticationField = z
	.looseObject({
		...credential,
		response: z.looseObject({
			clientDataJSON: bytes,
			authenticatorData: bytes,
			signature: bytes,
			userHandle: bytes,
		}),
	})
	.transform(({ id, rawId, type, response }) => ({
		...{ id, rawId, type },
		clientExtensionResults: {},
		response: {
			clientDataJSON: response.clientDataJSON,
			authenticatorData: response.authenticatorData,
			signature: response.signature,
			userHandle: response.userHandle,
		},
	}));

/** Bytes of a request with a passkey. */
export const MAX_PASSKEY_BYTES = 64 * 1024;

const DEFAULT_NAME = "Passkey";

/** Body of a new passkey. */
export const passkeyBody = z.strictObject({
	response: registrationField,
	name: nameField.default(DEFAULT_NAME),
});

/** Body of a change of a passkey. */
export const passkeyUpdateBody = z.strictObject({ name: nameField });

/** Body of a sign-in with a passkey. */
export const passkeySignInBody = z.strictObject({ response: authenticationField });
