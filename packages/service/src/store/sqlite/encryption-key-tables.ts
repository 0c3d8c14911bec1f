/** Table of the keys that the service of a data folder holds, so that nothing is encrypted with one that it lacks. */
export interface EncryptionKeyTables {
	encryption_keys: EncryptionKeyRow;
}

export interface EncryptionKeyRow {
	/** 0 for the one that encrypts. */
	position: number;
	id: string;
	/** Another for each key; see `toKeyCheck`. */
	key_check: string;
}

export const encryptionKeyTablesSql = `
CREATE TABLE encryption_keys (
	position INTEGER PRIMARY KEY,
	id TEXT NOT NULL,
	key_check TEXT NOT NULL
) STRICT;
`;
