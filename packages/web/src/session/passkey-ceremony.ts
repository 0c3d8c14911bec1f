import {
	browserSupportsWebAuthn,
	type PublicKeyCredentialCreationOptionsJSON,
	type PublicKeyCredentialRequestOptionsJSON,
	startAuthentication,
	startRegistration,
	WebAuthnError,
} from "@simplewebauthn/browser";
import type { CurrentSession, PasskeyOptions } from "@stemma/client";
import type { StemmaParts } from "../data/stemma";

/** Checks whether the browser has passkeys. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn();

/** Lets the device make a passkey, and adds it. */
export async function addPasskey({ session }: StemmaParts, name: string): Promise<void> {
	const options = await session.passkeys.createOptions();
	const response = await startRegistration({
		optionsJSON: toOptions<PublicKeyCredentialCreationOptionsJSON>(options),
	});
	await session.passkeys.create({ response, ...(name !== "" && { name }) });
}

/** Lets the person choose a passkey, and signs in with it. */
export async function signInWithPasskey({ session }: StemmaParts): Promise<CurrentSession> {
	const options = await session.createPasskeyOptions();
	const response = await startAuthentication({
		optionsJSON: toOptions<PublicKeyCredentialRequestOptionsJSON>(options),
	});
	return session.signInWithPasskey({ response });
}

/** Replaces an error of the browser, which says little, by a sentence. */
export function describePasskeyError(error: unknown, cancelled: string): unknown {
	const isOfBrowser = error instanceof WebAuthnError || error instanceof DOMException;
	return isOfBrowser || (error instanceof Error && BROWSER_ERRORS.includes(error.name))
		? new Error(cancelled)
		: error;
}

const BROWSER_ERRORS: readonly string[] = ["NotAllowedError", "AbortError", "InvalidStateError"];

/** The service makes them as WebAuthn defines them; the client knows no types of browsers. */
const toOptions = <Options extends object>(options: PasskeyOptions): Options => options as object as Options;
