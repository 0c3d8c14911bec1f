/** Table of tokens of one use that were used, in the deployment's file. */
export interface UsedTokenTables {
	used_tokens: {
		/** SHA-256 of the token's id. */
		token_hash: Uint8Array;
		expires_at: number;
	};
}

export const usedTokenTablesSql = `
CREATE TABLE used_tokens (
	token_hash BLOB PRIMARY KEY,
	expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_tokens_by_expiry ON used_tokens (expires_at);
`;
