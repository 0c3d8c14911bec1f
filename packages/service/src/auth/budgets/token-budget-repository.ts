/** Tokens that a client key has used on a day. */
export interface StoredTokenBudget {
	readonly clientKeyId: string;
	/** `2026-01-31`, UTC. */
	readonly day: string;
	/** Used and reserved. */
	readonly tokens: number;
}

/** Daily token budgets of client keys in the store of the deployment. */
export interface TokenBudgetRepository {
	/** Returns the tokens of a day; 0 where nothing is stored. */
	readTokens(clientKeyId: string, day: string): Promise<number>;
	/** Adds or replaces the tokens of a day. Nothing happens where the key was deleted. */
	replace(budget: StoredTokenBudget): Promise<void>;
	/**
	 * Reserves tokens of a day, in one statement, so that no instance takes what another one has reserved.
	 *
	 * @param maxTokens - of the day.
	 * @returns false where they would be too many.
	 */
	reserve(budget: StoredTokenBudget, maxTokens: number): Promise<boolean>;
	/** Changes the tokens of a day; they are never less than 0. */
	change(budget: StoredTokenBudget): Promise<void>;
}
