import type { Role } from "@stemma/client";
import { quote } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import { MAX_INVITATIONS, MAX_MEMBERS } from "./people-limits";

/** Error of a link that is unknown, used, revoked or expired: nobody learns which. */
export const linkInvalid = (): DomainError =>
	new DomainError(
		"sign_in_link_invalid",
		"This sign-in link is not valid: it was used before, or has expired.",
		{
			hint: "Ask an admin of the workspace for another invitation. On the machine of the service: stemma login-link --data <folder>",
			param: "token",
		},
	);

export const linkForAnotherEmail = (): DomainError =>
	new DomainError("link_for_another_email", "This sign-in link is for another e-mail address.", {
		hint: "Sign in with the address that was invited, or ask an admin for an invitation of yours.",
		param: "email",
	});

export const memberNotFound = (id: string): DomainError =>
	new DomainError("member_not_found", `The workspace has no member ${quote(id)}.`, {
		hint: "GET /v1/members lists the members of the workspace.",
	});

export const invitationNotFound = (): DomainError =>
	new DomainError("invitation_not_found", "There is no such invitation here, or none any more.");

export const sessionNotFound = (): DomainError =>
	new DomainError("session_not_found", "There is no such session here, or none any more.");

export const lastAdmin = (): DomainError =>
	new DomainError("last_admin", "This is the last admin of the workspace.", {
		hint: "Make another member an admin first.",
	});

export const memberHasHigherRole = (member: Role, given: Role): DomainError =>
	new DomainError(
		"member_has_higher_role",
		`The person is a member with the role "${member}", and the invitation is for "${given}".`,
		{
			hint: `Invite them with the role "${member}": an invitation signs in members of its own role or a lower one.`,
			param: "role",
		},
	);

export const tooManyMembers = (): DomainError =>
	new DomainError(
		"too_many_members",
		`The workspace has ${MAX_MEMBERS.toLocaleString("en")} members, the maximum.`,
		{ hint: "Remove members who are not there any more." },
	);

export const tooManyInvitations = (): DomainError =>
	new DomainError(
		"too_many_invitations",
		`The workspace has ${MAX_INVITATIONS.toLocaleString("en")} open invitations, the maximum.`,
		{ hint: "Revoke invitations that nobody has accepted, or wait until they expire." },
	);
