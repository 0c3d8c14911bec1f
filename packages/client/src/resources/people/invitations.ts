import type { StemmaClient } from "../../client";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type { Deleted, PageOptions } from "../../types/page";
import type { CreatedInvitation, Invitation, InvitationCreate } from "../../types/people/people";
import { createCollection } from "../collection";
import type { PaginatedList } from "../paginated-list";

/** Invitations to the workspace that nobody has accepted yet. */
export interface Invitations {
	list(page?: PageOptions, options?: CallOptions): PaginatedList<Invitation>;
	/**
	 * Invites a person, or gives a member another link to sign in with; the link is shown this once.
	 *
	 * @throws ConflictError `already_created` with `details.id` when the same call had come through before: without the link;
	 * `member_has_higher_role` where the address is of a member whose role is higher than the invitation's.
	 */
	create(request: InvitationCreate, options?: CallOptions): Promise<WithRequestId<CreatedInvitation>>;
	/** Revokes an invitation: its link is no longer valid. */
	delete(id: string, options?: CallOptions): Promise<WithRequestId<Deleted>>;
}

export function invitations(client: StemmaClient): Invitations {
	const {
		list,
		create,
		delete: revoke,
	} = createCollection<Invitation, CreatedInvitation>(client, "/v1/invitations");
	return { list, create, delete: revoke };
}
