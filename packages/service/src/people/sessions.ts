import type { Role, Scope } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { UserCaller } from "../auth/caller";
import { createSecret, hashSecret } from "../auth/secrets";
import { createId } from "../create-id";
import type { DeploymentStore } from "../store/deployment-store";
import type { Confirmations } from "./oidc/confirmations";
import { parseTokenSessionId } from "./oidc/token-session";
import { MAX_SESSION_MS, MAX_SESSIONS_PER_USER, SESSION_IDLE_MS, SESSION_TOUCH_MS } from "./people-limits";
import type { SessionInsert } from "./people-repositories";
import { ROLE_SCOPES } from "./roles";
import type { NewSession, SessionMember, SessionReach, StoredMember, StoredSession } from "./stored-people";

/** Sessions of people, as requests use them. */
export interface Sessions {
	/** Finds the caller of a session by its secret; `undefined` for one that is unknown or has ended. Counts as a use of it. */
	findCaller(secret: string): Promise<UserCaller | undefined>;
	/** The member of that id as a caller, for a run that it has started; `undefined` for one who was removed. */
	findMember(workspaceId: string, userId: string): Promise<Omit<UserCaller, "sessionId"> | undefined>;
	/** Forgets those that have ended, and the links and used tokens that have expired. */
	sweep(): Promise<void>;
}

/** Parts of the deployment's store that have to do with people. */
export type PeopleStore = Pick<
	DeploymentStore,
	| "authorizations"
	| "identities"
	| "members"
	| "passkeys"
	| "sessions"
	| "signInLinks"
	| "usedTokens"
	| "workspaces"
>;

/** Facts about a request to sign in. */
export interface SignInContext {
	readonly requestId: string;
	readonly userAgent: string | undefined;
	/** Secret of the session that the browser had before: it ends, so that nobody who knows it is signed in with it. */
	readonly replacedSecret: string | undefined;
}

/** Secret of a new session, with what is stored of it. */
export interface CreatedSession {
	readonly secret: string;
	readonly session: NewSession;
}

const MAX_USER_AGENT_CHARACTERS = 256;
const SECRET_PREFIX = "st";

/** Checks whether a text can be the secret of a session. */
export const isSessionSecret = (text: string): boolean => /^st_[\w-]{43}$/.test(text);

/** @param onError - receives what kept the use of a session from being stored; the request goes on. */
export function createSessions(
	{ sessions, members, signInLinks, usedTokens }: PeopleStore,
	{ isConfirmed }: Pick<Confirmations, "isConfirmed">,
	onError: (error: unknown) => void,
): Sessions {
	return {
		async findCaller(secret) {
			if (!isSessionSecret(secret)) return undefined;
			const found = await sessions.findByToken(hashSecret(secret));
			const now = clock.now();
			if (found === undefined || endOf(found.session) <= now) return undefined;
			const { session, member } = found;
			if (!(await isConfirmed(member))) return undefined;
			if (now - session.last_used_at >= SESSION_TOUCH_MS)
				await sessions.touch(session.id, now).catch(onError);
			return {
				...toUserCaller(member),
				scopes: listScopes(member.role, session.reach),
				sessionId: session.id,
			};
		},
		async findMember(workspaceId, userId) {
			const member = await members.find(workspaceId, userId);
			return member?.status === "active" ? toUserCaller(member) : undefined;
		},
		async sweep() {
			const now = clock.now();
			await sessions.deleteExpired(now - MAX_SESSION_MS, now - SESSION_IDLE_MS);
			await signInLinks.deleteExpired(now);
			await usedTokens.deleteExpired(now);
		},
	};
}

/** Creates a session, to be stored by the sign-in. */
function createSession(userAgent: string | undefined, reach: SessionReach): CreatedSession {
	const secret = createSecret(SECRET_PREFIX);
	const now = clock.now();
	const session = {
		id: createId("ses"),
		tokenHash: hashSecret(secret),
		user_agent: userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null,
		created_at: now,
		last_used_at: now,
		reach,
	};
	return { secret, session };
}

/** Creates a session for a sign-in, which ends the one that the browser had. */
export function createSessionInsert(
	{ userAgent, replacedSecret }: Pick<SignInContext, "userAgent" | "replacedSecret">,
	reach: SessionReach,
): {
	readonly secret: string;
	readonly insert: SessionInsert;
} {
	const { secret, session } = createSession(userAgent, reach);
	const replacedTokenHash = replacedSecret === undefined ? undefined : hashSecret(replacedSecret);
	return { secret, insert: { session, replacedTokenHash, maxSessions: MAX_SESSIONS_PER_USER } };
}

/** Time at which a session ends where it is not used before, in epoch milliseconds. */
export const endOf = ({ created_at, last_used_at }: SessionMember["session"]): number =>
	Math.min(last_used_at + SESSION_IDLE_MS, created_at + MAX_SESSION_MS);

/** Lists those of some ids, of sessions and of access tokens, that have not ended. */
export async function listLiveSessions(
	{
		sessions,
		members,
		isConfirmed,
	}: Pick<PeopleStore, "sessions" | "members"> & Pick<Confirmations, "isConfirmed">,
	ids: readonly string[],
): Promise<readonly string[]> {
	const stored = await sessions.listByIds(ids);
	const live = new Set<string>();
	for (const session of stored.filter(isActiveSession))
		if (await isConfirmed({ id: session.user_id })) live.add(session.id);
	for (const id of ids) {
		const token = parseTokenSessionId(id);
		if (token === undefined || token.expiresAt <= clock.now()) continue;
		const member = await members.find(token.workspaceId, token.userId);
		if (member?.status === "active") live.add(id);
	}
	return [...live];
}

/** Checks whether a session has not ended by time. */
export const isActiveSession = (session: StoredSession): boolean => endOf(session) > clock.now();

/** Scopes of a session: those of the role, and for an operator's also that of workspaces as objects. */
export const listScopes = (role: Role, reach: SessionReach): readonly Scope[] =>
	reach === "operator" ? [...ROLE_SCOPES[role], "deployment:write"] : ROLE_SCOPES[role];

/** Converts an active member to a caller. */
export const toUserCaller = ({ id, workspace_id, role }: StoredMember): Omit<UserCaller, "sessionId"> => ({
	kind: "user",
	id,
	workspaceId: workspace_id,
	role,
	scopes: ROLE_SCOPES[role],
});
