import type { CreatedInvitation, Invitation, InvitationCreate } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { AuditAuthor } from "../audit/audit-author";
import type { PageRequest } from "../pagination";
import { invitationNotFound, memberHasHigherRole, tooManyInvitations } from "./people-errors";
import { INVITATION_TTL_MS, MAX_INVITATIONS } from "./people-limits";
import type { SignInLinkRepository } from "./people-repositories";
import { toInvitation } from "./present-people";
import { includesRole } from "./roles";
import { createSignInLink, toSignInAddress } from "./sign-in-links";

/** Invitations to one workspace; those to other workspaces are never found. */
export interface Invitations {
	/**
	 * @param origin - of the link's address.
	 * @throws DomainError `too_many_invitations`; `member_has_higher_role` for a member who would be signed in with more.
	 */
	create(id: string, request: InvitationCreate, origin: string): Promise<CreatedInvitation>;
	exists(id: string): Promise<boolean>;
	/** Lists invitations: up to one more than `limit`, so that the caller knows whether there are more. */
	list(page: PageRequest): Promise<readonly Invitation[]>;
	/**
	 * Deletes an invitation, whose link is no longer valid.
	 *
	 * @param assertAllowed - throws where the caller must not do this to an invitation to such a role; called in the
	 * transaction.
	 * @throws DomainError `invitation_not_found`
	 */
	revoke(id: string, assertAllowed: (role: Invitation["role"]) => void): Promise<void>;
}

/** @param author - of what is changed by it. */
export const createInvitations = (
	repository: SignInLinkRepository,
	workspaceId: string,
	author: AuditAuthor,
): Invitations => ({
	async create(id, { email, role }, origin) {
		const options = { id, email, role, workspace_id: workspaceId, invited_by: author.actor };
		const { token, link } = createSignInLink({ ...options, kind: "invitation", ttlMs: INVITATION_TTL_MS });
		const audit = { ...author, action: "invitation.created", target: id, details: { role } } as const;
		await repository.insert(link, audit, ({ invitations, member }) => {
			if (invitations >= MAX_INVITATIONS) throw tooManyInvitations();
			if (member?.status === "active" && !includesRole(role, member.role))
				throw memberHasHigherRole(member.role, role);
		});
		return { ...toInvitation(link), link: toSignInAddress(origin, token) };
	},
	exists: async (id) => (await repository.find(workspaceId, id)) !== undefined,
	list: async (page) => (await repository.listInvitations(workspaceId, page, clock.now())).map(toInvitation),
	async revoke(id, assertAllowed) {
		const isDeleted = await repository.deleteInvitation(workspaceId, id, ({ role }) => {
			assertAllowed(role);
			return { ...author, action: "invitation.revoked", target: id, details: { role } };
		});
		if (!isDeleted) throw invitationNotFound();
	},
});
