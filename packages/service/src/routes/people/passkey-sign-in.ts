import { clearAttemptCookie, readAttemptSecret, setAttemptCookie } from "../../http/auth/attempt-cookie";
import { countSignIn } from "../../http/auth/count-sign-in";
import { assertOwnPage } from "../../http/auth/own-page";
import { readPasskeyParty } from "../../http/auth/passkey-party";
import { assertSessionsAllowed } from "../../http/auth/session-cookie";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { passkeyInvalid } from "../../people/passkeys/passkey-errors";
import { signInWithPasskey } from "../../people/passkeys/sign-in-with-passkey";
import { createAuthenticationOptions } from "../../people/passkeys/webauthn";
import { PASSKEY_ATTEMPT_TTL_MS } from "../../people/people-limits";
import type { PeopleStore } from "../../people/sessions";
import { MAX_PASSKEY_BYTES, passkeySignInBody } from "./passkey-fields";
import { readSignInContext, respondWithSession } from "./respond-with-session";

const PATH = "/v1/session/passkey";
const PURPOSE = "passkey";
const CHALLENGE = "challenge";

const described = {
	begin: describeRoute({
		summary: "Begin a sign-in with a passkey",
		responses: { 200: "PasskeyOptions" },
		errors: [
			"origin_not_allowed",
			"csrf_header_missing",
			"https_required",
			"credential_conflict",
			"rate_limited",
			"invalid_host",
			"passkeys_unavailable",
		],
	}),
	sign: describeRoute({
		summary: "Sign in with a passkey",
		body: passkeySignInBody,
		responses: { 201: "CurrentSession" },
		errors: [
			"origin_not_allowed",
			"csrf_header_missing",
			"https_required",
			"credential_conflict",
			"rate_limited",
			"invalid_host",
			"passkeys_unavailable",
			"passkey_invalid",
			"issuer_sign_in_required",
			"sign_in_not_allowed",
		],
	}),
};

/** `/v1/session/passkey`: sign-in with a passkey, for pages of the service. */
export function addPasskeySignInRoutes(app: ServiceApp, store: PeopleStore): void {
	app.post(`${PATH}/options`, described.begin, async (context) => {
		context.header("cache-control", "no-store");
		assertSessionsAllowed(context);
		assertOwnPage(context);
		const party = readPasskeyParty(context);
		const { secret, derive } = context.get("kernel").people.attempts.start(PURPOSE, PASSKEY_ATTEMPT_TTL_MS);
		setAttemptCookie(context, secret, PASSKEY_ATTEMPT_TTL_MS);
		return context.json(await createAuthenticationOptions({ party, challenge: derive(CHALLENGE) }));
	});

	app.post(PATH, described.sign, async (context) => {
		context.header("cache-control", "no-store");
		assertSessionsAllowed(context);
		assertOwnPage(context);
		countSignIn(context);
		const { response } = await readJson(context, passkeySignInBody, { maxBytes: MAX_PASSKEY_BYTES });
		const { attempts, userHandleKey, confirmations } = context.get("kernel").people;
		const party = readPasskeyParty(context);
		const secret = readAttemptSecret(context);
		const challenge = attempts.find(PURPOSE, secret)?.derive(CHALLENGE);
		if (challenge === undefined || !(await attempts.complete(PURPOSE, secret))) throw passkeyInvalid();
		const signedIn = await signInWithPasskey(
			{ passkeys: store.passkeys, ...confirmations },
			{ response, userHandleKey, expected: { party, challenge } },
			readSignInContext(context),
		);
		const responded = await respondWithSession(context, store, signedIn);
		clearAttemptCookie(context);
		return responded;
	});
}
