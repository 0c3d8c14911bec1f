import type { CurrentSession, Invitation, Inviter, Member, Passkey, User, UserSession } from "@stemma/client";
import type { StoredPasskey } from "./passkeys/stored-passkey";
import type { MemberRepository } from "./people-repositories";
import { endOf, listScopes } from "./sessions";
import type { SessionMember, StoredMember, StoredSession, StoredSignInLink } from "./stored-people";

const formatTime = (time: number): string => new Date(time).toISOString();

const toUser = ({ id, email, name, status }: StoredMember): User => ({ id, email, name, status });

/** Converts a member to what the API shows. */
export const toMember = (member: StoredMember): Member => ({
	...toUser(member),
	role: member.role,
	created_at: formatTime(member.created_at),
});

/** Converts an invitation to what the API shows: its link was shown once. */
export const toInvitation = ({
	id,
	email,
	role,
	invited_by,
	created_at,
	expires_at,
}: StoredSignInLink): Invitation => ({
	...{ id, email: email ?? "", role, invited_by },
	created_at: formatTime(created_at),
	expires_at: formatTime(expires_at),
});

/** Converts a session to what its user sees. */
export const toCurrentSession = (
	{ session, member }: SessionMember,
	workspace: CurrentSession["workspace"],
	inviter: Inviter | null,
): CurrentSession => ({
	id: session.id,
	user: toUser(member),
	workspace: { id: workspace.id, name: workspace.name },
	role: member.role,
	scopes: listScopes(member.role, session.reach),
	invited_by: inviter,
	expires_at: formatTime(endOf(session)),
});

/** Finds who made an invitation, with the name that they have in the workspace. */
export async function findInviter(
	members: Pick<MemberRepository, "find">,
	workspaceId: string,
	id: string | null,
): Promise<Inviter | null> {
	if (id === null) return null;
	const member = id.startsWith("usr_") ? await members.find(workspaceId, id) : undefined;
	return { id, name: member?.name ?? null };
}

/** Converts a passkey to what the API shows: no key. */
export const toPasskey = (passkey: StoredPasskey, inviter: Inviter | null): Passkey => ({
	...{ id: passkey.id, user_id: passkey.user_id, name: passkey.name },
	synced: passkey.synced === 1,
	invited_by: inviter,
	created_at: formatTime(passkey.created_at),
	last_used_at: passkey.last_used_at === null ? null : formatTime(passkey.last_used_at),
});

/** @param currentId - id of the session that the request was sent with; none for other credentials. */
export const toUserSession = (
	session: StoredSession,
	currentId: string | undefined,
	inviter: Inviter | null,
): UserSession => ({
	id: session.id,
	user_id: session.user_id,
	current: session.id === currentId,
	user_agent: session.user_agent,
	invited_by: inviter,
	created_at: formatTime(session.created_at),
	last_used_at: formatTime(session.last_used_at),
	expires_at: formatTime(endOf(session)),
});
