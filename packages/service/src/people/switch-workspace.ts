import type { UserWorkspace } from "@stemma/client";
import { invalidCredentials } from "../auth/authenticator";
import type { UserCaller } from "../auth/caller";
import { workspaceNotFound } from "../workspaces/workspace-errors";
import { createSessionInsert, type PeopleStore, type SignInContext } from "./sessions";
import type { SignedIn } from "./sign-in";
import type { StoredSession } from "./stored-people";

type SwitchStore = Pick<PeopleStore, "members" | "sessions" | "workspaces">;

/** Lists the workspaces that a session reaches: its own, and where the person is known beyond it, all in which they are. */
export async function listUserWorkspaces(
	store: SwitchStore,
	caller: UserCaller,
): Promise<readonly UserWorkspace[]> {
	const { reach } = await getSession(store, caller);
	const members = await store.members.listOfUser(caller.id);
	const names = new Map((await store.workspaces.listAll()).map(({ id, name }) => [id, name]));
	return members.flatMap(({ workspace_id: id, role }) => {
		const name = names.get(id);
		const isCurrent = id === caller.workspaceId;
		return name !== undefined && (isCurrent || reach !== "workspace")
			? [{ id, name, role, current: isCurrent }]
			: [];
	});
}

/**
 * Replaces the session of a person by one in another workspace of theirs. It ends when the first one would have.
 *
 * @throws DomainError `workspace_not_found` for a workspace in which they are not, or which the session does not reach: who
 * came by an invitation, which an admin of its workspace has as well, is known in that workspace alone.
 */
export async function switchWorkspace(
	store: SwitchStore,
	caller: UserCaller,
	workspaceId: string,
	context: SignInContext,
): Promise<SignedIn> {
	const current = await getSession(store, caller);
	if (current.reach === "workspace" || (await store.workspaces.find(workspaceId)) === undefined)
		throw workspaceNotFound();
	const { secret, insert } = createSessionInsert(context, current.reach);
	const session = { ...insert.session, created_at: current.created_at };
	const author = { actor: caller.id, requestId: context.requestId };
	const signedIn = await store.sessions.switch(
		current,
		{ ...insert, session },
		{
			workspaceId,
			toAudits: ({ role }) => ({
				ended: { ...author, action: "session.ended", target: current.id },
				signedIn: {
					...author,
					action: "member.signed_in",
					target: caller.id,
					details: { role, switched: true },
				},
			}),
		},
	);
	if (signedIn === undefined) throw workspaceNotFound();
	return { ...signedIn, secret };
}

/** @throws DomainError `invalid_credentials` where it has ended since the request was authenticated. */
async function getSession({ sessions }: SwitchStore, caller: UserCaller): Promise<StoredSession> {
	const session = await sessions.find(caller.workspaceId, caller.sessionId);
	if (session === undefined) throw invalidCredentials();
	return session;
}
