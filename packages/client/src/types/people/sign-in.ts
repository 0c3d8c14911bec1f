/** Way to sign in by an issuer of OpenID Connect. */
export interface SignInIssuer {
	/** Part of the address at which it begins: `/v1/sign-in/<id>`. */
	readonly id: string;
	/** Name for people. */
	readonly name: string;
}

/** Ways to sign in besides links and passkeys. */
export interface SignInMethods {
	readonly issuers: readonly SignInIssuer[];
}
