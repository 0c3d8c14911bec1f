import { clock } from "@stemma/core/internal";
import type { IssuerConfiguration } from "./issuer-configuration";
import { createIssuerTokens, type IssuerTokens } from "./issuer-tokens";
import { createOidcClient, type Fetch, type OidcClient } from "./oidc-client";
import { issuerNotFound } from "./oidc-errors";

/** Issuer that people sign in with. */
export interface Issuer {
	readonly configuration: IssuerConfiguration;
	readonly client: OidcClient;
	readonly tokens: IssuerTokens;
}

/** Issuers of a deployment. */
export interface Issuers {
	readonly list: readonly Issuer[];
	/** @throws DomainError `issuer_not_found` */
	get(key: string): Issuer;
	/** Finds an issuer by its identifier, the claim `iss` of its tokens. */
	findByIdentifier(identifier: string): Issuer | undefined;
}

/** @param fetch - function that sends requests to issuers. */
export function createIssuers(configurations: readonly IssuerConfiguration[], fetch: Fetch): Issuers {
	const list = configurations.map((configuration) => {
		const client = createOidcClient(configuration, fetch, clock.now);
		return { configuration, client, tokens: createIssuerTokens(configuration, client, fetch) };
	});
	return {
		list,
		get(key) {
			const issuer = list.find(({ configuration }) => configuration.key === key);
			if (issuer === undefined) throw issuerNotFound(key);
			return issuer;
		},
		findByIdentifier: (identifier) => list.find(({ configuration }) => configuration.issuer === identifier),
	};
}
