import type { CurrentSession, SignedOut, SignInRequest } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { invalidCredentials } from "../../auth/authenticator";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { assertOwnPage } from "../../http/auth/own-page";
import { countFailure } from "../../http/auth/session-caller";
import {
	assertSessionsAllowed,
	clearSessionCookie,
	readSessionSecret,
	setSessionCookie,
} from "../../http/auth/session-cookie";
import { readJson } from "../../http/body/read-json";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { toCurrentSession } from "../../people/present-people";
import type { PeopleStore } from "../../people/sessions";
import { type SignedIn, signIn } from "../../people/sign-in";
import type { SessionMember } from "../../people/stored-people";
import { workspaceNotFound } from "../../workspaces/workspace-errors";
import { emailField, nameField } from "./people-fields";
import { requireUser } from "./require-user";

const signInBody = z.strictObject({
	token: z.string().min(1).max(200),
	email: emailField.exactOptional(),
	name: nameField.exactOptional(),
});

const PATH = "/v1/session";
const MAX_SIGN_IN_BYTES = 16 * 1024;

/** `/v1/session`: the session of the person who uses the page. */
export function addSessionRoutes(app: ServiceApp, store: PeopleStore): void {
	const requireAny = requireCaller({ scopes: [] });

	app.post(PATH, async (context) => {
		context.header("cache-control", "no-store");
		assertSessionsAllowed(context);
		// Another page could sign its visitors in as somebody else, who would see what they do.
		assertOwnPage(context);
		const body = await readJson(context, signInBody, { maxBytes: MAX_SIGN_IN_BYTES });
		const signedIn = await redeem(context, store, body);
		// The session that it replaces has ended.
		await context.get("kernel").people.watch.check();
		setSessionCookie(context, signedIn.secret);
		return context.json(await describe(store, signedIn), 201);
	});

	app.get(PATH, requireAny, async (context) => {
		const { workspaceId, id, sessionId } = requireUser(context);
		const session = await store.sessions.find(workspaceId, sessionId);
		const member = await store.members.find(workspaceId, id);
		// It has ended since the request was authenticated.
		if (session === undefined || member === undefined) throw invalidCredentials();
		return context.json(await describe(store, { session, member }));
	});

	app.delete(PATH, requireAny, async (context) => {
		const { workspaceId, sessionId } = requireUser(context);
		const audit = { ...readAuthor(toScope(context)), action: "session.ended", target: sessionId } as const;
		await store.sessions.delete(workspaceId, sessionId, audit);
		await context.get("kernel").people.watch.check();
		clearSessionCookie(context);
		return context.json({ signed_out: true } satisfies SignedOut);
	});
}

/** Signs in with a link. Links that are not valid are counted, so that trying them is slow. */
async function redeem(
	context: ServiceContext,
	store: PeopleStore,
	request: SignInRequest,
): Promise<SignedIn> {
	try {
		return await signIn(store, request, {
			requestId: context.get("requestId"),
			userAgent: context.req.header("user-agent"),
			replacedSecret: readSessionSecret(context),
		});
	} catch (error) {
		if (error instanceof DomainError && error.code === "sign_in_link_invalid") countFailure(context);
		throw error;
	}
}

async function describe(store: PeopleStore, signedIn: SessionMember): Promise<CurrentSession> {
	const workspace = await store.workspaces.find(signedIn.member.workspace_id);
	if (workspace === undefined) throw workspaceNotFound();
	return toCurrentSession(signedIn, workspace);
}
