/** English words about whose passkeys and sessions these are. */
export const PEOPLE_STRINGS = {
	/** Maker of a link, by a name or by the id of a client. */
	operator: "the operator",
	sessionByLink: (name: string) =>
		`You are signed in by a link that ${name} made, who could have opened it, too. Add a passkey, and sign in with it from now on.`,
	byLink: (name: string) => `by a link of ${name}`,
	passkeyByLink: (name: string) => `added in a session by a link of ${name}: remove it if it is not yours`,
	passkeysOf: (name: string) => `Passkeys of ${name}`,
	passkeys: "Passkeys",
	none: "No passkeys.",
	removePasskeyOf: (passkey: string, name: string) => `Remove the passkey ${passkey} of ${name}`,
	removeTitle: "Remove this passkey?",
	removeText: (passkey: string, name: string) =>
		`“${passkey}” signs ${name} in no more. Somebody without any passkey needs an invitation, or their issuer, to come back.`,
} as const;
