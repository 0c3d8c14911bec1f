import { createHash } from "node:crypto";
import type { Role } from "@stemma/client";
import type { AuditEntry } from "../../audit/audit-record";
import { createId } from "../../create-id";
import { toDefaultName } from "../email";
import { tooManyMembers } from "../people-errors";
import { MAX_MEMBERS } from "../people-limits";
import { createSessionInsert, type SignInContext } from "../sessions";
import type { SignedIn } from "../sign-in";
import type { StoredMember } from "../stored-people";
import type { IdentityFacts, IdentityRepository } from "./identity-repository";
import type { IssuerConfiguration } from "./issuer-configuration";
import type { WorkspaceAccess } from "./map-groups";
import { signInNotAllowed } from "./oidc-errors";
import type { PersonClaims } from "./person-claims";

/** Access of a person, with the workspaces found by their ids or names. */
export interface ResolvedAccess extends WorkspaceAccess {
	readonly workspaceId: string;
}

/**
 * Signs a person in whom an issuer has described. Roles follow the rules of the issuer, as they are now; without rules they
 * stay as they are in Stemma.
 *
 * @throws DomainError `sign_in_not_allowed` for a person without access, or who was removed; `too_many_members`
 */
export async function signInWithIssuer(
	identities: IdentityRepository,
	configuration: IssuerConfiguration,
	{ claims, access }: { readonly claims: PersonClaims; readonly access: readonly ResolvedAccess[] },
	context: SignInContext,
): Promise<SignedIn> {
	const { secret, insert } = createSessionInsert(context, "deployment");
	const newEmail = findNewEmail(configuration, claims);
	const { key, users } = configuration;
	const roles = new Map(access.map(({ workspaceId, role }) => [workspaceId, role]));
	const origin = { issuer: key, subject: claims.subject };
	const toAudit = ({ id, role }: StoredMember): AuditEntry => ({
		...{ actor: id, action: "member.signed_in", target: id, requestId: context.requestId },
		details: { role, ...origin },
	});
	const toChangeAudit = ({ id, role }: StoredMember, previous: Role | undefined): AuditEntry => ({
		...{ actor: id, action: "member.updated", target: id, requestId: context.requestId },
		details: { role, previous_role: previous ?? null, ...origin },
	});
	const signedIn = await identities.signIn(
		{
			...{ ...insert, issuer: claims.issuer, subject: claims.subject, sid: claims.sid },
			knownEmail: users === "subject" ? undefined : claims.email,
			newUser: newEmail === undefined ? undefined : { id: createId("usr"), email: newEmail },
			name: claims.name ?? toDefaultName(claims.email ?? "person@"),
			workspaceIds: [...roles.keys()],
		},
		(facts) => decideRole(configuration, roles.get(facts.workspaceId), facts),
		toAudit,
		toChangeAudit,
	);
	if (signedIn === undefined) {
		await identities.withdrawConfirmation({ issuer: claims.issuer, subject: claims.subject });
		throw signInNotAllowed(configuration);
	}
	return { ...signedIn, secret };
}

const SUBJECT_CHARACTERS = 16;

/**
 * Address of a new user; `undefined` where there may be none. One who is known by the issuer's id alone gets an address that
 * nobody can be invited by or write to (RFC 2606), as it would be another user's.
 */
function findNewEmail({ users, key }: IssuerConfiguration, claims: PersonClaims): string | undefined {
	if (users === "existing") return undefined;
	if (users === "verified_email") return claims.email;
	const hash = createHash("sha256")
		.update(JSON.stringify([claims.issuer, claims.subject]))
		.digest("hex");
	return `${hash.slice(0, SUBJECT_CHARACTERS)}@${key}.invalid`;
}

/**
 * Role of a person in a workspace; `undefined` for none. A member who was removed comes back by an invitation only, and the
 * last admin stays one.
 */
export function decideRole(
	{ users, groups }: Pick<IssuerConfiguration, "users" | "groups">,
	mapped: Role | undefined,
	{ member, activeMembers, otherAdmins }: Omit<IdentityFacts, "workspaceId">,
): Role | undefined {
	if (member?.status === "removed") return undefined;
	if (member === undefined) {
		if (users === "existing" || mapped === undefined) return undefined;
		if (activeMembers >= MAX_MEMBERS) throw tooManyMembers();
		return mapped;
	}
	if (groups.length === 0) return member.role;
	return member.role === "admin" && mapped !== undefined && otherAdmins === 0 ? "admin" : mapped;
}
