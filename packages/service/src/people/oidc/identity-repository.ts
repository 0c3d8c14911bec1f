import type { Role } from "@stemma/client";
import type { AuditEntry } from "../../audit/audit-record";
import type { SessionInsert } from "../people-repositories";
import type { SessionMember, StoredMember, StoredSession } from "../stored-people";

/** Identity of a person at an issuer. */
export interface IssuerIdentity {
	readonly issuer: string;
	readonly subject: string;
}

/** Sign-in by an issuer, to be stored. */
export interface IdentitySignIn extends SessionInsert, IssuerIdentity {
	/** Session at the issuer. */
	readonly sid: string | undefined;
	/** Verified address of a user who is the same person, where the identity is new; left out: nobody is. */
	readonly knownEmail: string | undefined;
	/** User to be added where there is none; left out: none is. */
	readonly newUser: { readonly id: string; readonly email: string } | undefined;
	/** Name of a new member. */
	readonly name: string;
	/** Workspaces of the person, in their order: the first one in which the person has a role gets the session. */
	readonly workspaceIds: readonly string[];
}

/** Facts about a person in a workspace that decide the role there. */
export interface IdentityFacts {
	readonly workspaceId: string;
	/** Member, who may have been removed; left out where there was none. */
	readonly member: StoredMember | undefined;
	readonly activeMembers: number;
	/** Active admins besides the person. */
	readonly otherAdmins: number;
}

/** Decides the role of a person in a workspace; `undefined` for none. Called in the transaction. */
export type DecideIdentityRole = (facts: IdentityFacts) => Role | undefined;

/** Sessions that an issuer ends: of a person, or one of theirs. */
export interface EndedSessions {
	readonly issuer: string;
	readonly subject: string | undefined;
	readonly sid: string | undefined;
}

/** A user, by the id or by the normalized address. */
export type UserReference = { readonly id: string } | { readonly email: string };

/** Identity with the time of the last sign-in at its issuer, in epoch milliseconds; 0 where the issuer took that back. */
export interface ConfirmedIdentity {
	readonly issuer: string;
	readonly confirmed_at: number;
}

/** Identities of people at issuers, in the store of the deployment. */
export interface IdentityRepository {
	/**
	 * Adds a session of the person, with identity, user and members where they are new, and changed roles, and records it: in
	 * one transaction. `undefined` where the person has a role in no workspace; nothing is stored then.
	 *
	 * @param toAudit - of the sign-in.
	 * @param toChangeAudit - of a role that changed, or a member who was added, in a workspace other than that of the session.
	 */
	signIn(
		signIn: IdentitySignIn,
		decide: DecideIdentityRole,
		toAudit: (member: StoredMember) => AuditEntry,
		toChangeAudit: (member: StoredMember, previous: Role | undefined) => AuditEntry,
	): Promise<SessionMember | undefined>;
	/**
	 * Finds the active member of an identity, else of the verified address, in one of these workspaces: the first one in their
	 * order.
	 */
	findMember(
		identity: IssuerIdentity & Pick<IdentitySignIn, "knownEmail">,
		workspaceIds: readonly string[],
	): Promise<StoredMember | undefined>;
	/** Lists the identities of a user; none where there is no such user. */
	listByUser(user: UserReference): Promise<readonly ConfirmedIdentity[]>;
	/** Stores that the issuer has signed the person out, or does not let them in any more. */
	withdrawConfirmation(identity: IssuerIdentity): Promise<void>;
	/** Finds the issuer that has signed a session in. */
	findIssuer(sessionId: string): Promise<string | undefined>;
	/**
	 * Ends the sessions of an identity, or of one session at the issuer, and records each, in one transaction. Where it is all
	 * of a person's, the confirmation of the identity ends, too.
	 *
	 * @returns how many there were.
	 */
	endSessions(ended: EndedSessions, toAudit: (session: StoredSession) => AuditEntry): Promise<number>;
}
