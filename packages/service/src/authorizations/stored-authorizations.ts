import type { Scope } from "@stemma/client";
import type { StoredMember } from "../people/stored-people";

/** App that people give access to: an OAuth client without a secret. */
export interface App {
	/** `app_…`, or the address of its metadata document. */
	readonly id: string;
	readonly name: string;
	readonly redirectUris: readonly string[];
}

/** Access that a person has given to an app, as it is stored; times are epoch milliseconds. */
export interface StoredAuthorization {
	/** `aut_…` */
	readonly id: string;
	readonly workspace_id: string;
	readonly user_id: string;
	readonly client_id: string;
	readonly client_name: string;
	/** `null` for a program on the computer of the person. */
	readonly redirect_host: string | null;
	readonly scopes: readonly Scope[];
	/** Path that the access is for. */
	readonly resource: string;
	readonly created_at: number;
	readonly last_used_at: number;
}

/** Code that an app exchanges for tokens, once. It is kept as a hash alone. */
export interface StoredCode {
	readonly redirect_uri: string;
	readonly code_challenge: string;
	readonly expires_at: number;
}

/** Code to be stored. */
export interface NewCode extends StoredCode {
	/** SHA-256. */
	readonly codeHash: Uint8Array;
}

/** Token to be stored. */
export interface NewToken {
	/** SHA-256. */
	readonly tokenHash: Uint8Array;
	readonly expiresAt: number;
}

/** Tokens that an app gets together. */
export interface NewTokens {
	readonly access: NewToken;
	readonly refresh: NewToken;
}

/** Authorization with the active member that it belongs to. */
export interface AuthorizationMember {
	readonly authorization: StoredAuthorization;
	readonly member: StoredMember;
}
