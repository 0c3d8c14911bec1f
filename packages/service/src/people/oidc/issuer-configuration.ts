import type { Role } from "@stemma/client";
import type { Secret } from "../../encryption/secret";

/** Rule that gives a role to members of a group of an issuer. */
export interface GroupRule {
	/** Group as the issuer names it. */
	readonly group: string;
	readonly role: Role;
	/** Id or name. Default: the workspace of the issuer. */
	readonly workspace?: string | undefined;
}

/**
 * Persons whom an issuer signs in.
 *
 * - `existing`: who is a member already, known by a verified e-mail address.
 * - `verified_email`: also new ones, who become users with their verified address.
 * - `subject`: anyone, known by the issuer's id alone, and never taken for a user with the same address.
 */
export type IssuerUsers = "existing" | "verified_email" | "subject";

/** Issuer of OpenID Connect, as the operator configures it. */
export interface IssuerConfiguration {
	/** Key in the configuration; a part of addresses. */
	readonly key: string;
	/** Name for people. */
	readonly name: string;
	/** Identifier, which is where its metadata are. */
	readonly issuer: string;
	readonly clientId: string;
	readonly clientSecret?: Secret;
	readonly scopes: readonly string[];
	readonly users: IssuerUsers;
	/** Addresses count as verified without the claim `email_verified`. */
	readonly trustEmail: boolean;
	/** Name of the claim with the groups of a person. */
	readonly groupsClaim: string;
	/** Rules for groups; without any, roles are those that members have in Stemma. */
	readonly groups: readonly GroupRule[];
	/** Role of persons in none of these groups; without it, they get no access. */
	readonly role?: Role;
	/** Id or name. Default: the oldest workspace. */
	readonly workspace?: string;
	/** Audience of access tokens of its people for the API; without it, there are none. */
	readonly apiAudience?: string;
	/** Time after which its people have to sign in there again, in milliseconds, whatever else they have here. Default: none. */
	readonly maxAgeMs?: number;
}
