import type { Role, User } from "@stemma/client";

/** Member of a workspace as it is stored; times are epoch milliseconds. */
export interface StoredMember extends User {
	readonly workspace_id: string;
	readonly role: Role;
	readonly created_at: number;
}

/**
 * Reach of a session, by what began it. `workspace`: whoever had an invitation, which an admin of that workspace has, too.
 * `deployment`: the person, as an issuer or the operator said: also the person's other workspaces. `operator`: whoever the
 * operator let in as one: also workspaces as objects.
 */
export type SessionReach = "workspace" | "deployment" | "operator";

/** Link that signs a person in, once. Its token is kept as a hash alone. */
export interface StoredSignInLink {
	/** `inv_…` */
	readonly id: string;
	readonly workspace_id: string;
	/** `login` of the operator, who has no role to give, or `invitation` by a member or a client. */
	readonly kind: "login" | "invitation";
	/** Address of the person that it is for; `null` for whoever has the link of the operator. */
	readonly email: string | null;
	readonly role: Role;
	/** `usr_…`, `cl_…` or `operator` */
	readonly invited_by: string;
	readonly created_at: number;
	readonly expires_at: number;
	/** Reach of the session that it begins. */
	readonly reach: SessionReach;
}

/** Sign-in link to be stored. */
export interface NewSignInLink extends StoredSignInLink {
	/** SHA-256. */
	readonly tokenHash: Uint8Array;
}

/** Session as it is stored. Its secret is kept as a hash alone. */
export interface StoredSession {
	/** `ses_…` */
	readonly id: string;
	readonly user_id: string;
	readonly workspace_id: string;
	readonly user_agent: string | null;
	/** Maker of the invitation that it was signed in with, where it is somebody else: `usr_…`, `cl_…` or `operator`. */
	readonly invited_by: string | null;
	readonly created_at: number;
	readonly last_used_at: number;
	readonly reach: SessionReach;
}

/** Session to be stored. */
export interface NewSession extends Omit<StoredSession, "user_id" | "workspace_id" | "invited_by"> {
	/** SHA-256. */
	readonly tokenHash: Uint8Array;
}

/** Session with the member that it belongs to. */
export interface SessionMember {
	readonly session: StoredSession;
	readonly member: StoredMember;
}
