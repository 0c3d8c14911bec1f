import { clock } from "@stemma/core/internal";
import { DomainError } from "../../errors/domain-error";
import type { IdentityRepository, UserReference } from "./identity-repository";
import type { IssuerConfiguration } from "./issuer-configuration";

/**
 * Checks that issuers still know their people. An issuer with `max_age_hours` has to sign its people in at least so often, and
 * what they have here (sessions of any kind, passkeys, access of apps) is of no use until it does.
 */
export interface Confirmations {
	/** Checks whether each issuer of a person has signed them in lately enough. True for persons whom none knows. */
	isConfirmed(user: UserReference): Promise<boolean>;
	/** @throws DomainError `issuer_sign_in_required`, which names the issuer. */
	assertConfirmed(user: UserReference): Promise<void>;
}

/** @param configurations - of all issuers. */
export function createConfirmations(
	identities: Pick<IdentityRepository, "listByUser">,
	configurations: readonly IssuerConfiguration[],
): Confirmations {
	const limited = configurations.filter(({ maxAgeMs }) => maxAgeMs !== undefined);
	async function findOutdated(user: UserReference): Promise<IssuerConfiguration | undefined> {
		if (limited.length === 0) return undefined;
		const known = await identities.listByUser(user);
		const now = clock.now();
		return limited.find(({ issuer, maxAgeMs = 0 }) =>
			known.some((identity) => identity.issuer === issuer && now - identity.confirmed_at >= maxAgeMs),
		);
	}
	return {
		isConfirmed: async (user) => (await findOutdated(user)) === undefined,
		async assertConfirmed(user) {
			const issuer = await findOutdated(user);
			if (issuer !== undefined) throw issuerSignInRequired(issuer);
		},
	};
}

const issuerSignInRequired = ({ name }: IssuerConfiguration): DomainError =>
	new DomainError("issuer_sign_in_required", `Your account at ${name} has to be confirmed: sign in there.`, {
		hint: `Choose "Sign in with ${name}" on the sign-in page. Passkeys and links work again after that.`,
	});
