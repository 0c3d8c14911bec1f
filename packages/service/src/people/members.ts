import type { Member, Role } from "@stemma/client";
import type { AuditAuthor } from "../audit/audit-author";
import { lastAdmin, memberNotFound } from "./people-errors";
import type { MemberListOptions, MemberRepository } from "./people-repositories";
import { toMember } from "./present-people";

/** Members of one workspace; those of other workspaces are never found. */
export interface Members {
	/** Lists members: up to one more than `limit`, so that the caller knows whether there are more. */
	list(options: MemberListOptions): Promise<readonly Member[]>;
	/**
	 * Changes the role of an active member.
	 *
	 * @param assertAllowed - throws where the caller must not do this to a member of such a role; called in the transaction.
	 * @throws DomainError `member_not_found`, `last_admin`
	 */
	updateRole(id: string, role: Role, assertAllowed: AssertRoleAllowed): Promise<Member>;
	/**
	 * Removes an active member, whose sessions end. The name stays, for what the member has done.
	 *
	 * @param assertAllowed - as for `updateRole`.
	 * @throws DomainError `member_not_found`, `last_admin`
	 */
	remove(id: string, assertAllowed: AssertRoleAllowed): Promise<void>;
}

/** Throws where a caller must not change a member of this role. */
export type AssertRoleAllowed = (role: Role) => void;

/** @param author - of what is changed by it. */
export const createMembers = (
	repository: MemberRepository,
	workspaceId: string,
	author: AuditAuthor,
): Members => ({
	list: async (options) => (await repository.list(workspaceId, options)).map(toMember),
	async updateRole(id, role, assertAllowed) {
		const updated = await repository.update(workspaceId, id, (member, otherAdmins) => {
			assertAllowed(member.role);
			if (role !== "admin") assertAdminRemains(member.role, otherAdmins);
			const details = { role, previous_role: member.role };
			return { role, status: "active", audit: { ...author, action: "member.updated", target: id, details } };
		});
		if (updated === undefined) throw memberNotFound(id);
		return toMember(updated);
	},
	async remove(id, assertAllowed) {
		const removed = await repository.update(workspaceId, id, ({ role }, otherAdmins) => {
			assertAllowed(role);
			assertAdminRemains(role, otherAdmins);
			const audit = { ...author, action: "member.removed", target: id, details: { role } } as const;
			return { role, status: "removed", audit };
		});
		if (removed === undefined) throw memberNotFound(id);
	},
});

function assertAdminRemains(role: Role, otherAdmins: number): void {
	if (role === "admin" && otherAdmins === 0) throw lastAdmin();
}
