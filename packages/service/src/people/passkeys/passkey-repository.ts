import type { AuditEntry } from "../../audit/audit-record";
import type { PageRequest } from "../../pagination";
import type { SessionInsert } from "../people-repositories";
import type { SessionMember, StoredMember } from "../stored-people";
import type { StoredPasskey } from "./stored-passkey";

/** Owner of passkeys. */
export type PasskeyOwner = Pick<StoredPasskey, "workspace_id" | "user_id">;

/** Use of a passkey for a sign-in, to be stored with its session. */
export interface PasskeyUse extends SessionInsert {
	/** Counter that the signature was checked against: another one is stored by another sign-in with the same signature. */
	readonly previousCounter: number;
	readonly counter: number;
	readonly usedAt: number;
}

/** Passkeys of all workspaces in the store of the deployment. */
export interface PasskeyRepository {
	/**
	 * Adds a passkey of an active member and records it, in one transaction; false where there is no such member, or where the
	 * credential is known.
	 *
	 * @param check - called with the number of the member's passkeys; what it throws adds nothing.
	 */
	insert(passkey: StoredPasskey, audit: AuditEntry, check: (count: number) => void): Promise<boolean>;
	/** Lists the passkeys of a member, newest first; one more than `limit`, where there are more. */
	list(owner: PasskeyOwner, page: PageRequest): Promise<readonly StoredPasskey[]>;
	/** Finds a passkey of a workspace. */
	find(workspaceId: string, id: string): Promise<StoredPasskey | undefined>;
	/** Finds a passkey by the id that the authenticator chose, with its member, who is active. */
	findByCredential(
		credentialId: string,
	): Promise<{ readonly passkey: StoredPasskey; readonly member: StoredMember } | undefined>;
	/** Renames a passkey and records it, in one transaction; `undefined` where the member has none of that id. */
	rename(
		owner: PasskeyOwner,
		id: string,
		name: string,
		audit: AuditEntry,
	): Promise<StoredPasskey | undefined>;
	/** Deletes a passkey and records it, in one transaction; false where the member has none of that id. */
	delete(owner: PasskeyOwner, id: string, audit: AuditEntry): Promise<boolean>;
	/**
	 * Adds a session of the member and records the sign-in, in one transaction; `undefined` where the passkey or the member is
	 * gone, or the counter is another one.
	 */
	signIn(
		id: string,
		use: PasskeyUse,
		toAudit: (member: StoredMember) => AuditEntry,
	): Promise<SessionMember | undefined>;
}
