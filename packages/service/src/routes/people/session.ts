import type { SignedOut, SignInRequest } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { invalidCredentials } from "../../auth/authenticator";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { countSignIn } from "../../http/auth/count-sign-in";
import { assertOwnPage } from "../../http/auth/own-page";
import { readPublicOrigin } from "../../http/auth/public-origin";
import { countFailure } from "../../http/auth/session-caller";
import { assertSessionsAllowed, clearSessionCookie } from "../../http/auth/session-cookie";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { PeopleStore } from "../../people/sessions";
import { type SignedIn, signIn } from "../../people/sign-in";
import { toPageOrigin } from "../../people/sign-in-links";
import { emailField, nameField } from "./people-fields";
import { requireUser } from "./require-user";
import { describeSession, readSignInContext, respondWithSession } from "./respond-with-session";

const signInBody = z.strictObject({
	token: z.string().min(1).max(200),
	email: emailField.exactOptional(),
	name: nameField.exactOptional(),
});

const PATH = "/v1/session";
const MAX_SIGN_IN_BYTES = 16 * 1024;

const described = {
	sign: describeRoute({
		summary: "Sign in with a link",
		body: signInBody,
		responses: { 201: "CurrentSession" },
		errors: [
			"origin_not_allowed",
			"csrf_header_missing",
			"https_required",
			"credential_conflict",
			"rate_limited",
			"invalid_host",
			"sign_in_link_invalid",
			"issuer_sign_in_required",
			"link_for_another_email",
			"sign_in_refused",
			"sign_in_not_allowed",
			"workspace_not_found",
			"workspace_unavailable",
			"too_many_members",
		],
	}),
	get: describeRoute({
		summary: "Get the session",
		responses: { 200: "CurrentSession" },
		errors: ["session_required"],
	}),
	signOut: describeRoute({
		summary: "Sign out",
		responses: { 200: "SignedOut" },
		errors: ["session_required"],
	}),
};

/** `/v1/session`: the session of the person who uses the page. */
export function addSessionRoutes(app: ServiceApp, store: PeopleStore): void {
	const requireAny = requireCaller({ scopes: [] });

	app.post(PATH, described.sign, async (context) => {
		context.header("cache-control", "no-store");
		assertSessionsAllowed(context);
		// Another page could sign its visitors in as somebody else, who would see what they do.
		assertOwnPage(context);
		countSignIn(context);
		const body = await readJson(context, signInBody, { maxBytes: MAX_SIGN_IN_BYTES });
		return respondWithSession(context, store, await redeem(context, store, body));
	});

	app.get(PATH, described.get, requireAny, async (context) => {
		const { workspaceId, id, sessionId } = requireUser(context);
		const session = await store.sessions.find(workspaceId, sessionId);
		const member = await store.members.find(workspaceId, id);
		// It has ended since the request was authenticated.
		if (session === undefined || member === undefined) throw invalidCredentials();
		return context.json(await describeSession(store, { session, member }));
	});

	app.delete(PATH, described.signOut, requireAny, async (context) => {
		const { workspaceId, sessionId } = requireUser(context);
		const audit = { ...readAuthor(toScope(context)), action: "session.ended", target: sessionId } as const;
		const issuer = await store.identities.findIssuer(sessionId);
		await store.sessions.delete(workspaceId, sessionId, audit);
		await context.get("kernel").people.watch.check();
		clearSessionCookie(context);
		return context.json({
			signed_out: true,
			...(issuer !== undefined && (await findEndSessionAddress(context, issuer))),
		} satisfies SignedOut);
	});
}

/** Finds where the person signs out of the issuer, too. @param identifier - of the issuer. */
async function findEndSessionAddress(
	context: ServiceContext,
	identifier: string,
): Promise<Pick<SignedOut, "end_session_url">> {
	const issuer = context.get("kernel").people.issuers.findByIdentifier(identifier);
	const returnTo = `${toPageOrigin(readPublicOrigin(context))}/`;
	const address = await issuer?.client.findEndSessionAddress(returnTo);
	return address === undefined ? {} : { end_session_url: address };
}

/** Signs in with a link. Links that are not valid are counted, so that trying them is slow. */
async function redeem(
	context: ServiceContext,
	store: PeopleStore,
	request: SignInRequest,
): Promise<SignedIn> {
	try {
		const { confirmations } = context.get("kernel").people;
		return await signIn({ ...store, ...confirmations }, request, readSignInContext(context));
	} catch (error) {
		if (error instanceof DomainError && error.code === "sign_in_link_invalid") countFailure(context);
		throw error;
	}
}
