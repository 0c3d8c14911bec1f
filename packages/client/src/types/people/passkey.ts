import type { JsonObject } from "@stemma/core";
import type { Inviter } from "./people";

/** Passkey of a person, which signs them in. */
export interface Passkey {
	/** `pk_…` */
	readonly id: string;
	readonly user_id: string;
	readonly name: string;
	/** True where the devices of the person share it, false for one that a single device has. */
	readonly synced: boolean;
	/** Maker of the link of the session that it was added in, where it was somebody else: it may be their passkey. */
	readonly invited_by: Inviter | null;
	readonly created_at: string;
	/** Time of the last sign-in with it; `null` where there was none. */
	readonly last_used_at: string | null;
}

export interface PasskeyCreate {
	/** Result of `navigator.credentials.create`, as JSON: `RegistrationResponseJSON` of WebAuthn. */
	readonly response: object;
	/** Default `Passkey`. */
	readonly name?: string;
}

export interface PasskeyUpdate {
	readonly name: string;
}

export interface PasskeySignIn {
	/** Result of `navigator.credentials.get`, as JSON: `AuthenticationResponseJSON` of WebAuthn. */
	readonly response: object;
}

/** Options for `navigator.credentials`, as JSON: `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read them. */
export type PasskeyOptions = JsonObject;
