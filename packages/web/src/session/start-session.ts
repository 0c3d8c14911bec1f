import { AuthenticationError, type CurrentSession } from "@stemma/client";
import type { StemmaParts } from "../data/stemma";
import { loadValue, storeValue } from "../data/stored-value";

/** State of the sign-in, with the error of a link that did not work. */
export type SessionState =
	| { readonly status: "starting"; readonly isSigningIn: boolean }
	| { readonly status: "signed-in"; readonly session: CurrentSession }
	| { readonly status: "signed-out"; readonly error?: unknown; readonly hasEnded?: boolean };

const SIGN_IN = "#sign-in=";
const RETURN_KEY = "stemma-return";

/**
 * Takes the token of a sign-in link out of the address, so that neither the history nor a shared screen keeps it. The page
 * that was open before is shown in its place.
 */
export function takeSignInToken(): string | undefined {
	const { hash, pathname } = globalThis.location;
	if (!hash.startsWith(SIGN_IN)) return undefined;
	const stored = loadValue(RETURN_KEY);
	const returned = typeof stored === "string" && stored.startsWith("#/") ? stored : "#/ask";
	globalThis.history.replaceState(null, "", pathname + returned);
	storeValue(RETURN_KEY, undefined);
	return hash.slice(SIGN_IN.length);
}

/** Remembers the page that somebody wanted to see, for after the sign-in. */
export const rememberPage = (): void => storeValue(RETURN_KEY, globalThis.location.hash);

/** Signs in with a token, or finds out who is signed in. */
export async function startSession(
	{ session }: StemmaParts,
	token: string | undefined,
): Promise<SessionState> {
	try {
		const current = token === undefined ? await session.get() : await session.signIn({ token });
		return { status: "signed-in", session: current };
	} catch (error) {
		if (token === undefined && AuthenticationError.is(error)) return { status: "signed-out" };
		return { status: "signed-out", error };
	}
}
