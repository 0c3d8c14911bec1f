import type { Scope } from "@stemma/client";

/** Access token as it is stored. */
export interface StoredAccessToken {
	/** SHA-256 of the token. */
	readonly tokenHash: Uint8Array;
	readonly clientId: string;
	readonly scopes: readonly Scope[];
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

/** Access tokens in the store of the deployment; each goes with its client. */
export interface AccessTokenRepository {
	/** Finds a token and the workspace of its client, also one that has expired. */
	find(
		tokenHash: Uint8Array,
	): Promise<(Omit<StoredAccessToken, "tokenHash"> & { readonly workspaceId: string }) | undefined>;
	/**
	 * Adds a token; false, and nothing is added, where the client has another secret by now.
	 *
	 * @param maxTokens - of the client: those that end first make room.
	 */
	insert(token: StoredAccessToken, secretHash: Uint8Array, maxTokens: number): Promise<boolean>;
	/** Finds when the token ends that ends last, in epoch milliseconds; `undefined` where there is none. */
	findLastExpiry(): Promise<number | undefined>;
	deleteExpired(now: number): Promise<void>;
	deleteAll(): Promise<void>;
}
