import { MAX_NAME_CHARACTERS } from "../../validation/field-limits";
import { isEmail, normalizeEmail } from "../email";
import type { IssuerConfiguration } from "./issuer-configuration";

/** Claims of a token that was verified. */
export interface VerifiedClaims {
	readonly iss: string;
	readonly sub?: string | undefined;
	readonly [claim: string]: unknown;
}

/** Person as an issuer describes one. */
export interface PersonClaims {
	readonly issuer: string;
	readonly subject: string;
	/** Normalized; left out where it is not verified. */
	readonly email: string | undefined;
	readonly name: string | undefined;
	readonly groups: readonly string[];
	/** Session at the issuer. */
	readonly sid: string | undefined;
}

/** Groups of a person that are read; the others are left out. */
const MAX_GROUPS = 10_000;

/**
 * Reads the claims of a person from a token that was verified; `undefined` without a subject.
 *
 * @see OpenID Connect Core, sections 2 and 5.1.
 */
export function toPersonClaims(
	claims: VerifiedClaims,
	{ trustEmail, groupsClaim }: Pick<IssuerConfiguration, "trustEmail" | "groupsClaim">,
): PersonClaims | undefined {
	const { iss, sub, email, email_verified, name, sid } = claims;
	if (typeof sub !== "string" || sub === "") return undefined;
	// Some issuers send it as text.
	const isVerified = trustEmail || email_verified === true || email_verified === "true";
	const address = typeof email === "string" ? normalizeEmail(email) : "";
	return {
		issuer: iss,
		subject: sub,
		email: isVerified && isEmail(address) ? address : undefined,
		name: typeof name === "string" ? toName(name) : undefined,
		groups: toGroups(claims[groupsClaim]),
		sid: typeof sid === "string" ? sid : undefined,
	};
}

/** Characters that nobody sees could make one name look like another. */
const toName = (name: string): string | undefined =>
	name.replace(/\p{C}/gu, "").trim().slice(0, MAX_NAME_CHARACTERS) || undefined;

function toGroups(value: unknown): readonly string[] {
	const list: readonly unknown[] = Array.isArray(value) ? value : [value];
	return list.slice(0, MAX_GROUPS).filter((group): group is string => typeof group === "string");
}
