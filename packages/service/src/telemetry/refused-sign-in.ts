/** Labels of a refused attempt to sign in. */
export interface RefusedSignIn {
	/** `client`: a client's secret; `credential`: the credential of any other request. */
	readonly method: "client" | "link" | "passkey" | "issuer" | "credential";
	readonly reason: "refused" | "rate_limited";
}

const SIGN_IN_ROUTES: Readonly<Record<string, RefusedSignIn["method"]>> = {
	"POST /oauth/token": "client",
	"POST /v1/session": "link",
	"POST /v1/session/passkey": "passkey",
	"GET /v1/sign-in/:issuer/callback": "issuer",
};

/** Finds whether a response refuses an attempt to sign in; none for requests that were refused for another reason. */
export function toRefusedSignIn(
	{ method, route }: { readonly method: string; readonly route: string },
	status: number,
): RefusedSignIn | undefined {
	const signIn = SIGN_IN_ROUTES[`${method} ${route}`];
	if (status === 401) return { method: signIn ?? "credential", reason: "refused" };
	if (signIn === undefined) return undefined;
	if (status === 403) return { method: signIn, reason: "refused" };
	return status === 429 ? { method: signIn, reason: "rate_limited" } : undefined;
}
