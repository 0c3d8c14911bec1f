import type { Scope } from "../credential";

/** Role of a member of a workspace; each may do what those before it may. */
export type Role = "viewer" | "editor" | "admin";

/** Person who signs in to a workspace. */
export interface User {
	/** `usr_…` */
	readonly id: string;
	/** Address in lower case. */
	readonly email: string;
	readonly name: string;
	/** A removed user cannot sign in; the name stays for what they did. */
	readonly status: "active" | "removed";
}

/** User of a workspace with a role in it. */
export interface Member extends User {
	readonly role: Role;
	readonly created_at: string;
}

export interface MemberUpdate {
	readonly role: Role;
}

/** Invitation to a workspace that nobody has accepted yet. */
export interface Invitation {
	/** `inv_…` */
	readonly id: string;
	readonly email: string;
	readonly role: Role;
	/** `usr_…`, `cl_…` or `operator` */
	readonly invited_by: string;
	readonly created_at: string;
	readonly expires_at: string;
}

export interface InvitationCreate {
	readonly email: string;
	/** Role in the workspace; nobody can give one with scopes that they lack. */
	readonly role: Role;
}

/** New invitation with its link, which is shown once. */
export interface CreatedInvitation extends Invitation {
	/** Address that signs the invited person in, once. */
	readonly link: string;
}

/** Author of an invitation that a person was signed in with, who had its link, too. */
export interface Inviter {
	/** `usr_…`, `cl_…` or `operator` */
	readonly id: string;
	/** Name of a member; `null` for others. */
	readonly name: string | null;
}

export interface SignInRequest {
	/** Token of a sign-in link: what follows `#sign-in=` in its address. */
	readonly token: string;
	/** E-mail address of who signs in. Default: that of the link. */
	readonly email?: string;
	/** Name of a new member. Default: the part of the e-mail address before the `@`. */
	readonly name?: string;
}

/** Session of a user in a workspace. */
export interface CurrentSession {
	/** `ses_…` */
	readonly id: string;
	readonly user: User;
	readonly workspace: { readonly id: string; readonly name: string };
	readonly role: Role;
	/** Scopes of the role; for an operator also `deployment:write`. */
	readonly scopes: readonly Scope[];
	/** Maker of the link that the session was signed in with, where it was somebody else. */
	readonly invited_by: Inviter | null;
	/** End of the session if it is not used before; each use moves it, at most to 30 days after the sign-in. */
	readonly expires_at: string;
}

/** Workspace of the person who uses the page. */
export interface UserWorkspace {
	/** `ws_…` */
	readonly id: string;
	readonly name: string;
	/** Role of the person there. */
	readonly role: Role;
	/** True for the workspace of the session. */
	readonly current: boolean;
}

/** Workspaces that a session reaches. */
export interface UserWorkspaces {
	readonly data: readonly UserWorkspace[];
}

export interface SwitchWorkspaceRequest {
	readonly workspace_id: string;
}

/** Session in a list of sessions. */
export interface UserSession {
	/** `ses_…` */
	readonly id: string;
	readonly user_id: string;
	/** True for the session that the request was sent with. */
	readonly current: boolean;
	/** Browser as it calls itself. */
	readonly user_agent: string | null;
	/** Maker of the link that it was signed in with, where it was somebody else. */
	readonly invited_by: Inviter | null;
	readonly created_at: string;
	/** Accurate to five minutes. */
	readonly last_used_at: string;
	readonly expires_at: string;
}

/** Answer to the end of a session, or of all sessions of a user. */
export interface SignedOut {
	readonly signed_out: true;
	/**
	 * Address at which the person signs out of the issuer that signed them in, too; left out where there is none. Only
	 * after the end of the session that the request was sent with.
	 */
	readonly end_session_url?: string;
}

/** Members who may use a knowledge base or an agent: all of the workspace, or some. Admins and clients always may. */
export type MemberAccess = "all" | LimitedAccess;

/** Access of some members alone. */
export interface LimitedAccess {
	/** `usr_…` of the members, 500 at the most. */
	readonly users: readonly string[];
}
