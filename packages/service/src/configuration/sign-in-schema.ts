import { isLoopbackHost } from "@stemma/protocol";
import * as z from "zod";
import { Secret } from "../encryption/secret";
import type { IssuerConfiguration } from "../people/oidc/issuer-configuration";
import { ROLES } from "../people/roles";

const MAX_GROUP_RULES = 1_000;
const MAX_ISSUERS = 20;
const MAX_AGE_HOURS = 8_760;
const HOUR_MS = 3_600_000;

const credential = z.union(
	[z.strictObject({ env: z.string().min(1) }), z.strictObject({ value: z.string().min(1) })],
	{ error: 'must be {"env": "<name of an environment variable>"} or {"value": "<the secret itself>"}' },
);

const text = z.string().min(1).max(500);
const role = z.enum(ROLES);

const issuer = z.strictObject({
	name: z.string().min(1).max(100).optional(),
	issuer: text.refine(isIssuer, {
		error:
			"must be an address such as https://login.example/realms/main, by https but on this machine, without a query",
	}),
	client_id: text,
	client_secret: credential.optional(),
	scopes: z.array(text).min(1).max(50).default(["openid", "email", "profile"]),
	users: z.enum(["existing", "verified_email", "subject"]).default("existing"),
	trust_email: z.boolean().default(false),
	groups_claim: text.default("groups"),
	groups: z
		.array(z.strictObject({ group: text, role, workspace: text.optional() }))
		.max(MAX_GROUP_RULES)
		.default([]),
	role: role.optional(),
	workspace: text.optional(),
	api_audience: text.optional(),
	max_age_hours: z.int().min(1).max(MAX_AGE_HOURS).optional(),
});

/** Schema of `sign_in` in `stemma.config.json`: issuers by their keys, which are parts of addresses. */
export const signInSchema = z.strictObject({
	issuers: z
		.record(
			z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, {
				error: "is not a valid key of an issuer: use lower-case letters, digits and -, up to 32",
			}),
			issuer,
		)
		.refine((issuers) => Object.keys(issuers).length <= MAX_ISSUERS, {
			error: `must have at most ${MAX_ISSUERS} issuers`,
		})
		.default({}),
});

/** `sign_in`, with its defaults. */
export type SignInFile = z.output<typeof signInSchema>;

/** `sign_in`, as one writes it. */
export type SignInInput = z.input<typeof signInSchema>;

/** An issuer, as one writes it. */
type IssuerInput = z.input<typeof issuer>;

/** Lists the credentials of issuers, by their path. */
export const listIssuerCredentials = ({ issuers }: SignInFile) =>
	Object.entries(issuers).map(
		([key, { client_secret }]) => [`sign_in.issuers.${key}.client_secret`, client_secret] as const,
	);

/** Problem of an issuer, with its path. */
export interface IssuerIssue {
	readonly path: string;
	readonly message: string;
}

/** Finds issuers that could sign nobody in, and those that are there twice. */
export function findIssuerIssues({ issuers }: SignInFile): readonly IssuerIssue[] {
	const entries = Object.entries(issuers);
	return entries.flatMap(([key, issuer], index) => {
		const path = `sign_in.issuers.${key}`;
		const isKnown = entries.slice(0, index).some(([, other]) => other.issuer === issuer.issuer);
		const addsUsers = issuer.users !== "existing";
		return [
			...(isKnown ? [{ path: `${path}.issuer`, message: "occurs twice" }] : []),
			...(issuer.api_audience === issuer.client_id
				? [
						{
							path: `${path}.api_audience`,
							message: "must not be client_id, whose ID tokens go through more hands than access tokens",
						},
					]
				: []),
			...(issuer.scopes.includes("openid")
				? []
				: [{ path: `${path}.scopes`, message: 'must have "openid"' }]),
			...(addsUsers && issuer.role === undefined && issuer.groups.length === 0
				? [
						{
							path: `${path}.role`,
							message: `is missing: new users need a role, by "role" or by "groups", where "users" is "${issuer.users}"`,
						},
					]
				: []),
		];
	});
}

type CredentialInput = z.output<typeof credential>;

/** @param read - text of a credential. */
export const toIssuers = (
	{ issuers }: SignInFile,
	read: (secret: CredentialInput) => string,
): readonly IssuerConfiguration[] =>
	Object.entries(issuers).map(([key, issuer]) => ({
		...{ key, name: issuer.name ?? key, issuer: issuer.issuer, clientId: issuer.client_id },
		...(issuer.client_secret !== undefined && { clientSecret: new Secret(read(issuer.client_secret)) }),
		...{ scopes: issuer.scopes, users: issuer.users, trustEmail: issuer.trust_email },
		...{ groupsClaim: issuer.groups_claim, groups: issuer.groups },
		...(issuer.role !== undefined && { role: issuer.role }),
		...(issuer.workspace !== undefined && { workspace: issuer.workspace }),
		...(issuer.api_audience !== undefined && { apiAudience: issuer.api_audience }),
		...(issuer.max_age_hours !== undefined && { maxAgeMs: issuer.max_age_hours * HOUR_MS }),
	}));

/** Issuers as the file would have them, secrets masked. */
export const printIssuers = (issuers: readonly IssuerConfiguration[], mask: string): SignInInput => ({
	issuers: Object.fromEntries(issuers.map((issuer) => [issuer.key, printIssuer(issuer, mask)])),
});

const printIssuer = (
	{ key: _, issuer, clientId, clientSecret, ...more }: IssuerConfiguration,
	mask: string,
): IssuerInput => ({
	...{ name: more.name, issuer, client_id: clientId },
	...(clientSecret !== undefined && { client_secret: { value: mask } }),
	...{ scopes: [...more.scopes], users: more.users, trust_email: more.trustEmail },
	groups_claim: more.groupsClaim,
	groups: more.groups.map((rule) => ({ ...rule })),
	...(more.role !== undefined && { role: more.role }),
	...(more.workspace !== undefined && { workspace: more.workspace }),
	...(more.apiAudience !== undefined && { api_audience: more.apiAudience }),
	...(more.maxAgeMs !== undefined && { max_age_hours: more.maxAgeMs / HOUR_MS }),
});

function isIssuer(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, host, username, password, search, hash } = new URL(address);
	const isSafe = protocol === "https:" || (protocol === "http:" && isLoopbackHost(host));
	return isSafe && `${username}${password}${search}${hash}` === "";
}
