import type { Invitation, Member } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";

/** People of a workspace, and those who are invited to it. */
export interface People {
	readonly members: readonly Member[];
	readonly invitations: readonly Invitation[];
}

/** Finds a person by id or e-mail address, members first. @throws ConfigurationError `member_not_found` */
export function findPerson(idOrEmail: string, { members, invitations }: People): Member | Invitation {
	const email = idOrEmail.trim().toLowerCase();
	const found = [...members, ...invitations].find(
		(person) => person.id === idOrEmail || person.email === email,
	);
	if (found !== undefined) return found;
	throw new ConfigurationError(`The workspace has no member ${quote(idOrEmail)}.`, {
		code: "member_not_found",
		hint: "Give an id or an e-mail address of those that this lists: stemma members list",
	});
}
