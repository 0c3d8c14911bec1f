/** Tables of identities of people at issuers, in the deployment's file. */
export interface IdentityTables {
	identities: {
		issuer: string;
		subject: string;
		user_id: string;
		created_at: number;
		/** Time of the last sign-in at the issuer; 0 once the issuer has signed the person out, or let them in no more. */
		confirmed_at: number;
	};
	session_identities: {
		session_id: string;
		issuer: string;
		subject: string;
		/** Session at the issuer. */
		sid: string | null;
	};
}

export const confirmedIdentitiesSql = `
ALTER TABLE identities ADD COLUMN confirmed_at INTEGER NOT NULL DEFAULT 0;
UPDATE identities SET confirmed_at = max(created_at, coalesce((
	SELECT max(sessions.created_at) FROM session_identities JOIN sessions ON sessions.id = session_identities.session_id
	WHERE session_identities.issuer = identities.issuer AND session_identities.subject = identities.subject
), 0));
`;

export const identityTablesSql = `
CREATE TABLE identities (
	issuer TEXT NOT NULL,
	subject TEXT NOT NULL,
	user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_by_user ON identities (user_id);

CREATE TABLE session_identities (
	session_id TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
	issuer TEXT NOT NULL,
	subject TEXT NOT NULL,
	sid TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX session_identities_by_subject ON session_identities (issuer, subject);
CREATE INDEX session_identities_by_sid ON session_identities (issuer, sid);
`;
