import type { Role, SignInRequest } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import type { AuditEntry } from "../audit/audit-record";
import { hashSecret } from "../auth/secrets";
import { createId } from "../create-id";
import { DEFAULT_ADMIN_EMAIL, normalizeEmail, toDefaultName } from "./email";
import type { Confirmations } from "./oidc/confirmations";
import { linkForAnotherEmail, linkInvalid, tooManyMembers } from "./people-errors";
import { MAX_MEMBERS } from "./people-limits";
import type { RedemptionFacts } from "./people-repositories";
import { higherRole, includesRole } from "./roles";
import { createSessionInsert, type PeopleStore, type SignInContext } from "./sessions";
import { isSignInToken } from "./sign-in-links";
import type { SessionMember, StoredMember, StoredSignInLink } from "./stored-people";

/** Session that was made by a sign-in. */
export interface SignedIn extends SessionMember {
	/** Secret for the cookie; nothing else has it. */
	readonly secret: string;
}

/**
 * Signs a person in with a link, which is good for this once.
 *
 * @throws DomainError `sign_in_link_invalid`, `link_for_another_email`, `too_many_members`,
 * `issuer_sign_in_required`: the link stays good then.
 */
export async function signIn(
	{ signInLinks, assertConfirmed }: Pick<PeopleStore, "signInLinks"> & Pick<Confirmations, "assertConfirmed">,
	{ token, email: given, name }: SignInRequest,
	context: SignInContext,
): Promise<SignedIn> {
	if (!isSignInToken(token)) throw linkInvalid();
	const tokenHash = hashSecret(token);
	const link = await signInLinks.findByToken(tokenHash);
	if (link === undefined || link.expires_at <= clock.now()) throw linkInvalid();
	const email = resolveEmail(link, given);
	await assertConfirmed({ email });
	const { secret, insert } = createSessionInsert(context, link.reach);
	const redemption = {
		...{ tokenHash, email, ...insert },
		name: name ?? toDefaultName(email),
		newUserId: createId("usr"),
	};
	const toAudit = ({ id, role }: StoredMember): AuditEntry => ({
		...{ actor: id, action: "member.signed_in", target: id, requestId: context.requestId },
		details: { role, link: link.id, invited_by: link.invited_by },
	});
	const signedIn = await signInLinks.redeem(redemption, decideRole, toAudit);
	if (signedIn === undefined) throw linkInvalid();
	return { ...signedIn, secret };
}

function resolveEmail({ email }: StoredSignInLink, given: string | undefined): string {
	const normalized = given === undefined ? undefined : normalizeEmail(given);
	if (email !== null && normalized !== undefined && normalized !== email) throw linkForAnotherEmail();
	return email ?? normalized ?? DEFAULT_ADMIN_EMAIL;
}

/**
 * A member keeps the role, as it may have been changed since the invitation. The operator's link can raise it: nobody
 * else can where there is no admin who can sign in.
 *
 * @throws DomainError `sign_in_link_invalid` for an invitation of a member with a higher role: its author, who has its
 * link, was allowed to give this role and no more.
 */
function decideRole({ link, member, activeMembers }: RedemptionFacts): Role {
	if (member?.status === "active") {
		if (link.kind === "login") return higherRole(member.role, link.role);
		if (!includesRole(link.role, member.role)) throw linkInvalid();
		return member.role;
	}
	if (activeMembers >= MAX_MEMBERS) throw tooManyMembers();
	return link.role;
}
