/** Labels of a refused attempt to sign in. */
export interface RefusedSignIn {
	/** `client`: a client's secret; `credential`: the credential of any other request. */
	readonly way: "client" | "link" | "passkey" | "issuer" | "credential";
	readonly reason: "refused" | "rate_limited";
}

/** Routes to sign in at. */
const WAYS: Readonly<Record<string, RefusedSignIn["way"]>> = {
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
	const way = WAYS[`${method} ${route}`];
	if (status === 401) return { way: way ?? "credential", reason: "refused" };
	if (way === undefined) return undefined;
	if (status === 403) return { way, reason: "refused" };
	return status === 429 ? { way, reason: "rate_limited" } : undefined;
}
