import { AuthenticationError, type CurrentSession } from "@stemma/client";
import type { StemmaParts } from "../data/stemma";
import { loadValue, storeValue } from "../data/stored-value";

/** State of the sign-in. */
export type SessionState =
	| { readonly status: "starting" }
	| { readonly status: "signed-in"; readonly session: CurrentSession }
	| { readonly status: "signed-out"; readonly error?: unknown; readonly hasEnded?: boolean };

const SIGN_IN = "#sign-in=";
const PAGES = "#/";
const RETURN_KEY = "stemma-return";

/** Checks whether the address is a sign-in link. */
export const isSignInLink = (): boolean => globalThis.location.hash.startsWith(SIGN_IN);

/**
 * Takes the token of a sign-in link out of the address, so that neither the history nor a shared screen keeps it. The page
 * that was open before is shown in its place.
 */
export function takeSignInToken(): string | undefined {
	if (!isSignInLink()) return undefined;
	const { hash, pathname } = globalThis.location;
	globalThis.history.replaceState(null, "", pathname + (takeRememberedPage() ?? "#/ask"));
	return hash.slice(SIGN_IN.length);
}

/** Shows the page that was open before a sign-in at an issuer, which sends people back to the address without one. */
export function restorePage(): void {
	if (globalThis.location.hash !== "") return;
	const page = takeRememberedPage();
	if (page !== undefined) globalThis.location.replace(page);
}

function takeRememberedPage(): string | undefined {
	const stored = loadValue(RETURN_KEY);
	storeValue(RETURN_KEY, undefined);
	return typeof stored === "string" && stored.startsWith(PAGES) ? stored : undefined;
}

/** Remembers the page that somebody wanted to see, for after the sign-in. */
export function rememberPage(): void {
	const { hash } = globalThis.location;
	if (hash.startsWith(PAGES)) storeValue(RETURN_KEY, hash);
}

/** Finds out who is signed in. */
export async function startSession({ session }: StemmaParts): Promise<SessionState> {
	try {
		return { status: "signed-in", session: await session.get() };
	} catch (error) {
		return { status: "signed-out", ...(!AuthenticationError.is(error) && { error }) };
	}
}
