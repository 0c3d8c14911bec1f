import type { SessionReach } from "../stored-people";

/** Passkey of a member as it is stored; times are epoch milliseconds. */
export interface StoredPasskey {
	/** `pk_…` */
	readonly id: string;
	readonly workspace_id: string;
	readonly user_id: string;
	readonly name: string;
	/** Id that the authenticator chose, base64url. */
	readonly credential_id: string;
	/** Host that it was made for: at another public address it signs nobody in. */
	readonly party_id: string;
	/** Public key, as COSE writes it. */
	readonly public_key: Uint8Array;
	/** Signatures so far, as the authenticator counts; always 0 for passkeys that are on several devices. */
	readonly counter: number;
	/** 1 where its owner's devices share it, 0 for one that a single device has. */
	readonly synced: number;
	/** Maker of the invitation of the session that it was added in, where it is somebody else. */
	readonly invited_by: string | null;
	readonly created_at: number;
	/** Time of the last sign-in with it; `null` where there was none. */
	readonly last_used_at: number | null;
	/** Reach of the session in which it was added, which the sessions that it begins have, too. */
	readonly reach: SessionReach;
}
