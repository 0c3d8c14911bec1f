/** Tokens of one use that were used: attempts to sign in, and logout tokens of issuers. */
export interface UsedTokens {
	isUsed(id: string): Promise<boolean>;
	/**
	 * Uses a token. Of two uses at the same time, one gets true.
	 *
	 * @param expiresAt - time from which nobody takes the token any more, in epoch milliseconds.
	 * @returns whether it had not been used before.
	 */
	use(id: string, expiresAt: number): Promise<boolean>;
	/** @param now - in epoch milliseconds. */
	deleteExpired(now: number): Promise<void>;
}
