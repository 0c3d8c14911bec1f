import { SCOPES } from "@stemma/core/internal";
import type { CallerRequirements } from "./parts";

type Requirement = { readonly [scheme: string]: readonly string[] };

const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, `Requests that need \`${scope}\`.`]));

/** Ways to send a credential. */
export const SECURITY_SCHEMES = {
	accessToken: {
		type: "oauth2",
		description: "Access token of a client, from its id and secret.",
		flows: { clientCredentials: { tokenUrl: "/oauth/token", scopes } },
	},
	personToken: {
		type: "http",
		scheme: "bearer",
		bearerFormat: "JWT",
		description: "Access token of an issuer that the operator has configured.",
	},
	session: {
		type: "apiKey",
		in: "cookie",
		name: "__Host-stemma",
		description: "Session of a person: pages of the service alone.",
	},
	clientKey: {
		type: "http",
		scheme: "bearer",
		description:
			"Client key `ck_<id>_<secret>`, for browsers and apps; bound to origins, agents and knowledge bases.",
	},
	clientSecret: {
		type: "http",
		scheme: "bearer",
		description:
			"Client id and secret as one key, for programs that keep one: `<client id>.<client secret>`.",
	},
	apiKeyHeader: {
		type: "apiKey",
		in: "header",
		name: "x-api-key",
		description: "Access token or client key, as clients of Anthropic send it.",
	},
	appToken: {
		type: "oauth2",
		description: "Access token of an app that a person gave access.",
		flows: {
			authorizationCode: {
				authorizationUrl: "/oauth/authorize",
				tokenUrl: "/oauth/token",
				refreshUrl: "/oauth/token",
				scopes,
			},
		},
	},
	documentToken: {
		type: "apiKey",
		in: "query",
		name: "token",
		description: "Token in the address of a cited document.",
	},
	metricsToken: { type: "http", scheme: "bearer", description: "Metrics token of the operator." },
} as const;

/** The credentials that a route takes; one of them is enough. An open route takes none. */
export function listSecurity(requirements: CallerRequirements | undefined): readonly Requirement[] {
	if (requirements === undefined) return [];
	const {
		scopes: needed,
		documentToken,
		clientKeys,
		clientSecrets,
		apiKeyHeader,
		sessions,
		appResource,
	} = requirements;
	if (documentToken) return [{ documentToken: [] }];
	// A client needs one of the scopes.
	const alternatives = needed.length === 0 ? [[]] : needed.map((scope) => [scope]);
	return [
		...alternatives.map((one) => ({ accessToken: one })),
		...(sessions ? [{ session: [] }, { personToken: [] }] : []),
		...(clientKeys ? [{ clientKey: [] }] : []),
		...(clientSecrets ? [{ clientSecret: [] }] : []),
		...(apiKeyHeader ? [{ apiKeyHeader: [] }] : []),
		...(appResource === undefined ? [] : alternatives.map((one) => ({ appToken: one }))),
	];
}
