import type { CurrentSession, Invitation, Member, User, UserSession } from "@stemma/client";
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
): CurrentSession => ({
	id: session.id,
	user: toUser(member),
	workspace: { id: workspace.id, name: workspace.name },
	role: member.role,
	scopes: listScopes(member.role, session.reach),
	expires_at: formatTime(endOf(session)),
});

/** @param currentId - id of the session that the request was sent with; none for other credentials. */
export const toUserSession = (session: StoredSession, currentId: string | undefined): UserSession => ({
	id: session.id,
	user_id: session.user_id,
	current: session.id === currentId,
	user_agent: session.user_agent,
	created_at: formatTime(session.created_at),
	last_used_at: formatTime(session.last_used_at),
	expires_at: formatTime(endOf(session)),
});
