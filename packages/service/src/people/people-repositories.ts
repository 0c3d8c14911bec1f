import type { Member, Role } from "@stemma/client";
import type { AuditEntry } from "../audit/audit-record";
import type { PageRequest } from "../pagination";
import type {
	NewSession,
	NewSignInLink,
	SessionMember,
	StoredMember,
	StoredSession,
	StoredSignInLink,
} from "./stored-people";

/** Session of a sign-in, to be stored. */
export interface SessionInsert {
	readonly session: NewSession;
	/** Maker of the link of the sign-in, where it is somebody else. Default: nobody. */
	readonly invitedBy?: string | undefined;
	/** SHA-256 of the secret of the session that the new one replaces. */
	readonly replacedTokenHash: Uint8Array | undefined;
	/** Sessions of the user in the workspace; the oldest are deleted beyond. */
	readonly maxSessions: number;
}

/** Redemption of a sign-in link, to be stored. */
export interface LinkRedemption extends SessionInsert {
	readonly tokenHash: Uint8Array;
	/** Normalized address of who signs in. */
	readonly email: string;
	/** Name of a new member. */
	readonly name: string;
	/** `usr_…` of a new user. */
	readonly newUserId: string;
}

/** Facts about a redemption that decide it. */
export interface RedemptionFacts {
	readonly link: StoredSignInLink;
	/** Member of that address, who may have been removed; left out where there was none. */
	readonly member: StoredMember | undefined;
	/** Active members of the workspace. */
	readonly activeMembers: number;
}

/** Decides the role of who signs in; called in the transaction, and what it throws changes nothing, the link included. */
export type DecideRedemption = (facts: RedemptionFacts) => Role;

/** Facts about a workspace that decide whether a link is added. */
export interface LinkFacts {
	/** Invitations that have not expired. */
	readonly invitations: number;
	/** Member of the link's address, who may have been removed; left out where there was none. */
	readonly member: StoredMember | undefined;
}

/** Sign-in links of all workspaces in the store of the deployment. */
export interface SignInLinkRepository {
	/**
	 * Adds a link and records it, in one transaction.
	 *
	 * @param check - called in the transaction; what it throws adds nothing.
	 */
	insert(
		link: NewSignInLink,
		audit: AuditEntry | undefined,
		check: (facts: LinkFacts) => void,
	): Promise<void>;
	/** Finds a link by the hash of its token. */
	findByToken(tokenHash: Uint8Array): Promise<StoredSignInLink | undefined>;
	/** Finds an invitation. */
	find(workspaceId: string, id: string): Promise<StoredSignInLink | undefined>;
	/** Lists invitations that have not expired, by id; one more than `limit`, where there are more. */
	listInvitations(workspaceId: string, page: PageRequest, now: number): Promise<readonly StoredSignInLink[]>;
	/** Deletes an invitation and records it, in one transaction; false where there is none. */
	deleteInvitation(
		workspaceId: string,
		id: string,
		decide: (link: StoredSignInLink) => AuditEntry,
	): Promise<boolean>;
	/**
	 * Deletes a link and adds the session that it was good for, with user and member where they are new, and records the
	 * sign-in: in one transaction. `undefined` where the link is gone.
	 */
	redeem(
		redemption: LinkRedemption,
		decide: DecideRedemption,
		toAudit: (member: StoredMember) => AuditEntry,
	): Promise<SessionMember | undefined>;
	deleteExpired(now: number): Promise<void>;
}

/** Change of a member, with its record. */
export interface MemberChange {
	readonly role: Role;
	readonly status: Member["status"];
	readonly audit: AuditEntry;
}

/**
 * Decides on a change of an active member; called in the transaction, and what it throws changes nothing.
 *
 * @param otherAdmins - active admins of the workspace besides the member.
 */
export type DecideMemberChange = (member: StoredMember, otherAdmins: number) => MemberChange;

/** Member to be stored, who is a user already. */
export interface NewMember extends Pick<StoredMember, "id" | "workspace_id" | "name" | "role"> {
	/** Epoch milliseconds. */
	readonly createdAt: number;
}

export interface MemberListOptions extends PageRequest {
	readonly status: Member["status"];
}

/** Members of all workspaces in the store of the deployment. */
export interface MemberRepository {
	find(workspaceId: string, userId: string): Promise<StoredMember | undefined>;
	/** Lists the memberships of an active user, by workspace. */
	listOfUser(userId: string): Promise<readonly StoredMember[]>;
	/** Adds a user of the deployment to a workspace and records it, in one transaction. */
	insert(member: NewMember, audit: AuditEntry): Promise<void>;
	/** Lists members by id; one more than `limit`, where there are more. */
	list(workspaceId: string, options: MemberListOptions): Promise<readonly StoredMember[]>;
	/**
	 * Changes an active member and records it, in one transaction; `undefined` where there is none. The sessions of a member
	 * who is removed end, with the passkeys of the member and the access of apps, and the links to them; those that a member has made end where the member is no admin any more.
	 */
	update(workspaceId: string, userId: string, decide: DecideMemberChange): Promise<StoredMember | undefined>;
	/**
	 * Deletes a removed member, and the user where they are in no other workspace, and records it, in one transaction. One
	 * who is active again stays.
	 */
	erase(workspaceId: string, userId: string, audit: AuditEntry): Promise<void>;
}

/** Change of a session to another workspace. */
export interface SessionSwitch {
	readonly workspaceId: string;
	/** Records for both workspaces: neither has the name or id of the other. */
	toAudits(member: StoredMember): { readonly ended: AuditEntry; readonly signedIn: AuditEntry };
}

/** Sessions of all workspaces in the store of the deployment. */
export interface SessionRepository {
	/** Finds a session of an active member by the hash of its secret. */
	findByToken(tokenHash: Uint8Array): Promise<SessionMember | undefined>;
	find(workspaceId: string, id: string): Promise<StoredSession | undefined>;
	/** Lists those of some sessions that are there. */
	listByIds(ids: readonly string[]): Promise<readonly StoredSession[]>;
	/** Lists the sessions of a user in a workspace, newest first; one more than `limit`, where there are more. */
	list(workspaceId: string, userId: string, page: PageRequest): Promise<readonly StoredSession[]>;
	/** Stores that a session was used. */
	touch(id: string, now: number): Promise<void>;
	/** Deletes a session and records it, in one transaction; false where there is none. */
	delete(workspaceId: string, id: string, audit: AuditEntry): Promise<boolean>;
	/** Deletes all sessions of a user in a workspace and records it, in one transaction. */
	deleteAll(workspaceId: string, userId: string, audit: AuditEntry): Promise<void>;
	/**
	 * Replaces a session by one in another workspace and records it, in one transaction; `undefined` where the session is
	 * gone, or the person is no active member there.
	 */
	switch(
		session: StoredSession,
		insert: SessionInsert,
		change: SessionSwitch,
	): Promise<SessionMember | undefined>;
	/** Deletes the sessions that were made, or used last, before these times. */
	deleteExpired(createdBefore: number, usedBefore: number): Promise<void>;
}
