import type { Role } from "@stemma/client";
import { DomainError } from "../../errors/domain-error";
import { includesRole } from "../roles";
import type { StoredMember } from "../stored-people";
import type { IdentityRepository } from "./identity-repository";
import type { Issuer, Issuers } from "./issuers";
import { mapGroups } from "./map-groups";
import { toPersonClaims } from "./person-claims";
import { resolveAccess } from "./resolve-access";

/** Person whom an access token is of. */
export interface TokenUser {
	readonly member: StoredMember;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

/** Parts that a token is checked with. */
export interface TokenUserParts {
	readonly issuers: Issuers;
	readonly identities: Pick<IdentityRepository, "findMember">;
	/** Workspaces, oldest first. */
	listWorkspaces(): Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Claims that access tokens do not have. */
const FOREIGN_CLAIMS = ["nonce", "at_hash", "c_hash", "events"] as const;

const JWT = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/**
 * Finds the member whom an access token of an issuer is of (RFC 9068). It makes no users and changes no roles.
 *
 * @returns `undefined` for a credential that is no token of an issuer whose tokens this service takes.
 * @throws DomainError `token_expired`, `invalid_token`, `token_user_unknown`, `issuer_unavailable`
 */
export async function findTokenUser(
	{ issuers, identities, listWorkspaces }: TokenUserParts,
	token: string,
): Promise<TokenUser | undefined> {
	const issuer = issuers.findByIdentifier(readIssuer(token) ?? "");
	const { apiAudience: audience } = issuer?.configuration ?? {};
	if (issuer === undefined || audience === undefined) return undefined;
	const { claims, expiresAt } = await verify(issuer, token, audience);
	const person = toPersonClaims({ ...claims, iss: issuer.configuration.issuer }, issuer.configuration);
	if (person === undefined) throw tokenInvalid();
	const access = resolveAccess(mapGroups(issuer.configuration, person.groups), await listWorkspaces());
	const knownEmail = issuer.configuration.users === "subject" ? undefined : person.email;
	const ids = access.map(({ workspaceId }) => workspaceId);
	const member = await identities.findMember({ ...person, knownEmail }, ids);
	if (member === undefined) throw tokenUserUnknown(issuer);
	const { groups, groupsClaim } = issuer.configuration;
	const mapped = access.find(({ workspaceId }) => workspaceId === member.workspace_id)?.role;
	// Whoever lost a group at the issuer has its role until the next sign-in here, but not by tokens that say so.
	if (groups.length > 0 && claims[groupsClaim] !== undefined && !isEnough(mapped, member.role))
		throw tokenUserUnknown(issuer);
	return { member, expiresAt };
}

const isEnough = (mapped: Role | undefined, role: Role): boolean =>
	mapped !== undefined && includesRole(mapped, role);

/** Reads who claims to have signed a token, to find the keys that say whether that is so. */
function readIssuer(token: string): string | undefined {
	const [, payload] = JWT.exec(token) ?? [];
	if (payload === undefined) return undefined;
	try {
		const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
		const isObject = typeof claims === "object" && claims !== null;
		return isObject && "iss" in claims && typeof claims.iss === "string" ? claims.iss : undefined;
	} catch {
		return undefined;
	}
}

async function verify({ tokens }: Issuer, token: string, audience: string) {
	try {
		const claims = await tokens.verify(token, { audience, claims: ["exp", "sub"] });
		// ID tokens and logout tokens are for the client that they were made for, and go through more hands.
		if (FOREIGN_CLAIMS.some((name) => claims[name] !== undefined)) throw tokenInvalid();
		return { claims, expiresAt: (claims.exp ?? 0) * 1000 };
	} catch (error) {
		if (error instanceof DomainError) throw error;
		const isExpired = error instanceof Error && "code" in error && error.code === "ERR_JWT_EXPIRED";
		throw isExpired ? tokenExpired() : tokenInvalid(error);
	}
}

const tokenExpired = (): DomainError =>
	new DomainError("token_expired", "The access token has expired.", {
		hint: "Get another one from its issuer.",
	});

const tokenInvalid = (cause?: unknown): DomainError =>
	new DomainError("invalid_token", "The access token of the issuer is not valid for this service.", {
		hint: "It must be signed by the issuer, for the audience that the operator has set (sign_in.issuers.<key>.api_audience), and name a person in sub.",
		cause,
	});

const tokenUserUnknown = ({ configuration }: Issuer): DomainError =>
	new DomainError(
		"token_user_unknown",
		`The person of the token of ${configuration.name} is no member here.`,
		{
			hint: "The person signs in on the page once, or is invited, before tokens act for them.",
		},
	);
