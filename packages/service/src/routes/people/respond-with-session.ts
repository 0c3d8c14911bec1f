import type { CurrentSession } from "@stemma/client";
import { readSessionSecret, setSessionCookie } from "../../http/auth/session-cookie";
import type { ServiceContext } from "../../http/service-context";
import { findInviter, toCurrentSession } from "../../people/present-people";
import type { PeopleStore, SignInContext } from "../../people/sessions";
import type { SignedIn } from "../../people/sign-in";
import type { SessionMember } from "../../people/stored-people";
import { workspaceNotFound } from "../../workspaces/workspace-errors";

/** Facts about a request to sign in. */
export const readSignInContext = (context: ServiceContext): SignInContext => ({
	requestId: context.get("requestId"),
	userAgent: context.req.header("user-agent"),
	replacedSecret: readSessionSecret(context),
});

/** Starts the session of a sign-in: its cookie is set, and streams of the session that it replaces end. */
export async function startSession(context: ServiceContext, { secret }: SignedIn): Promise<void> {
	await context.get("kernel").people.watch.check();
	setSessionCookie(context, secret);
}

/** Starts the session of a sign-in, and describes it. */
export async function respondWithSession(
	context: ServiceContext,
	store: PeopleStore,
	signedIn: SignedIn,
): Promise<Response> {
	await startSession(context, signedIn);
	return context.json(await describeSession(store, signedIn), 201);
}

/** @throws DomainError `workspace_not_found` where it was deleted at this moment. */
export async function describeSession(store: PeopleStore, signedIn: SessionMember): Promise<CurrentSession> {
	const { workspace_id, invited_by } = signedIn.session;
	const workspace = await store.workspaces.find(workspace_id);
	if (workspace === undefined) throw workspaceNotFound();
	return toCurrentSession(signedIn, workspace, await findInviter(store.members, workspace_id, invited_by));
}
