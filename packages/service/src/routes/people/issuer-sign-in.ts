import type { SignInMethods } from "@stemma/client";
import { clearAttemptCookie, readAttemptSecret, setAttemptCookie } from "../../http/auth/attempt-cookie";
import { countSignIn } from "../../http/auth/count-sign-in";
import { assertOwnPage } from "../../http/auth/own-page";
import { readPublicOrigin } from "../../http/auth/public-origin";
import { assertSessionsAllowed } from "../../http/auth/session-cookie";
import { describeRoute } from "../../http/describe-route";
import { respondWithErrorPage } from "../../http/errors/error-page";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import type { SignInAttempt } from "../../people/attempts/sign-in-attempts";
import type { Issuer } from "../../people/oidc/issuers";
import { mapGroups } from "../../people/oidc/map-groups";
import type { FlowValues } from "../../people/oidc/oidc-client";
import { signInFailed } from "../../people/oidc/oidc-errors";
import { toPersonClaims } from "../../people/oidc/person-claims";
import { resolveAccess } from "../../people/oidc/resolve-access";
import { signInWithIssuer } from "../../people/oidc/sign-in-with-issuer";
import { ISSUER_ATTEMPT_TTL_MS } from "../../people/people-limits";
import type { PeopleStore } from "../../people/sessions";
import { toPageOrigin } from "../../people/sign-in-links";
import { readSignInContext, startSession } from "./respond-with-session";

const PATH = "/v1/sign-in";

const described = {
	list: describeRoute({
		summary: "List the ways to sign in",
		responses: { 200: "SignInMethods" },
	}),
	send: describeRoute({
		summary: "Send the browser to an issuer",
		responses: { 302: {} },
		errors: [
			"issuer_not_found",
			"sign_in_failed",
			"sign_in_refused",
			"sign_in_not_allowed",
			"issuer_unavailable",
			"origin_not_allowed",
			"csrf_header_missing",
			"https_required",
			"credential_conflict",
			"rate_limited",
			"invalid_host",
		],
	}),
	complete: describeRoute({
		summary: "Complete a sign-in with an issuer",
		responses: { 303: {} },
		errors: [
			"issuer_not_found",
			"sign_in_failed",
			"sign_in_refused",
			"sign_in_not_allowed",
			"issuer_unavailable",
			"origin_not_allowed",
			"csrf_header_missing",
			"https_required",
			"credential_conflict",
			"rate_limited",
			"invalid_host",
		],
	}),
};

/** `/v1/sign-in`: the ways to sign in, and sign-in by issuers of OpenID Connect, in the address bar of a browser. */
export function addIssuerSignInRoutes(app: ServiceApp, store: PeopleStore): void {
	app.get(PATH, described.list, (context) => {
		context.header("cache-control", "no-store");
		const { issuers } = context.get("kernel").people;
		const list = issuers.list.map(({ configuration: { key, name } }) => ({ id: key, name }));
		return context.json({ issuers: list } satisfies SignInMethods);
	});

	app.get(`${PATH}/:issuer`, described.send, (context) => asPage(context, () => start(context)));

	app.get(`${PATH}/:issuer/callback`, described.complete, (context) =>
		asPage(context, () => complete(context, store)),
	);
}

async function asPage(context: ServiceContext, respond: () => Promise<Response>): Promise<Response> {
	context.header("cache-control", "no-store");
	context.header("referrer-policy", "no-referrer");
	try {
		return await respond();
	} catch (error) {
		return respondWithErrorPage(context, error);
	}
}

/** Sends the browser to the issuer, with values that only this browser can bring back. */
async function start(context: ServiceContext): Promise<Response> {
	assertSessionsAllowed(context);
	// Another page could sign its visitors in as somebody whom the issuer remembers.
	assertOwnPage(context);
	const { attempts } = context.get("kernel").people;
	const issuer = getIssuer(context);
	const { secret, ...attempt } = attempts.start(toPurpose(issuer), ISSUER_ATTEMPT_TTL_MS);
	const address = await issuer.client.start(toRedirectUri(context, issuer), toFlowValues(attempt));
	setAttemptCookie(context, secret, ISSUER_ATTEMPT_TTL_MS);
	return context.redirect(address, 302);
}

/** Completes a sign-in: of the browser that began it, once. */
async function complete(context: ServiceContext, store: PeopleStore): Promise<Response> {
	assertSessionsAllowed(context);
	const { attempts } = context.get("kernel").people;
	const issuer = getIssuer(context);
	const { configuration, client } = issuer;
	const secret = readAttemptSecret(context);
	const attempt = attempts.find(toPurpose(issuer), secret);
	if (attempt === undefined) throw signInFailed();
	const values = toFlowValues(attempt);
	// What does not belong to the attempt neither uses it up nor reaches the issuer.
	if (context.req.query("state") !== values.state) throw signInFailed();
	// Counted only now: behind a proxy, anybody could use up the attempts of all others.
	countSignIn(context);
	if (!(await attempts.complete(toPurpose(issuer), secret))) throw signInFailed();
	clearAttemptCookie(context);
	const callback = new URL(toRedirectUri(context, issuer));
	callback.search = new URL(context.req.url).search;
	const claims = toPersonClaims(await client.complete(callback, values), configuration);
	if (claims === undefined) throw signInFailed();
	const access = resolveAccess(mapGroups(configuration, claims.groups), await store.workspaces.listAll());
	const signedIn = await signInWithIssuer(
		store.identities,
		configuration,
		{ claims, access },
		readSignInContext(context),
	);
	await startSession(context, signedIn);
	return context.redirect("/", 303);
}

const getIssuer = (context: ServiceContext): Issuer =>
	context.get("kernel").people.issuers.get(context.req.param("issuer") ?? "");

const toPurpose = ({ configuration }: Issuer): string => `issuer ${configuration.key}`;

const toRedirectUri = (context: ServiceContext, { configuration }: Issuer): string =>
	`${toPageOrigin(readPublicOrigin(context))}${PATH}/${configuration.key}/callback`;

const toFlowValues = ({ derive }: SignInAttempt): FlowValues => ({
	state: derive("state"),
	nonce: derive("nonce"),
	codeVerifier: derive("code_verifier"),
});
