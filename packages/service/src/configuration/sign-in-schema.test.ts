import { expect, test } from "vitest";
import { listSecrets } from "./list-secrets";
import { printConfiguration } from "./print-configuration";
import { resolveConfiguration } from "./resolve-configuration";

const company = { issuer: "https://login.example/realms/main", client_id: "stemma" };
const resolve = (issuers: object, environment = {}) =>
	resolveConfiguration({ content: { sign_in: { issuers } }, environment });

test("has defaults, and the secret of the environment, which is never printed", () => {
	const issuer = { ...company, client_secret: { env: "COMPANY_SECRET" } };
	const configuration = resolve({ company: issuer }, { COMPANY_SECRET: "a very long secret" });
	expect(configuration.signIn.issuers).toEqual([
		{
			...{ key: "company", name: "company", issuer: company.issuer, clientId: "stemma" },
			clientSecret: expect.anything(),
			scopes: ["openid", "email", "profile"],
			...{ users: "existing", trustEmail: false, groupsClaim: "groups", groups: [] },
		},
	]);
	expect(listSecrets(configuration).map((secret) => secret.reveal())).toEqual(["a very long secret"]);
	const printed = printConfiguration(configuration);
	expect(printed).not.toContain("a very long secret");
	const again = resolveConfiguration({ content: JSON.parse(printed) });
	expect(again.signIn).toEqual({
		issuers: [{ ...configuration.signIn.issuers[0], clientSecret: expect.anything() }],
	});
});

test("keeps the time after which people sign in there again", () => {
	const given = { ...company, max_age_hours: 12 };
	expect(resolve({ company: given }).signIn.issuers[0]?.maxAgeMs).toBe(43_200_000);
	expect(JSON.parse(printConfiguration(resolve({ company: given }))).sign_in.issuers.company).toMatchObject(
		given,
	);
});

test("keeps rules for groups", () => {
	const groups = [{ group: "a", role: "admin", workspace: "Shop" }];
	const given = { ...company, groups, role: "viewer", workspace: "Main", api_audience: "api" };
	const [issuer] = resolve({ company: given }).signIn.issuers;
	expect(issuer).toMatchObject({ groups, role: "viewer", workspace: "Main", apiAudience: "api" });
	expect(JSON.parse(printConfiguration(resolve({ company: given }))).sign_in.issuers.company).toMatchObject(
		given,
	);
});

test.each<readonly [object, string]>([
	[{ company: { ...company, issuer: "http://login.example" } }, "by https but on this machine"],
	[{ company: { ...company, issuer: "https://login.example?a=b" } }, "without a query"],
	[{ company: { ...company, issuer: "https://a:b@login.example" } }, "must be an address"],
	[{ "Company!": company }, "is not a valid key of an issuer"],
	[{ company, other: company }, '"sign_in.issuers.other.issuer" occurs twice'],
	[{ company: { ...company, scopes: ["email"] } }, 'must have "openid"'],
	[{ company: { ...company, users: "verified_email" } }, '"sign_in.issuers.company.role" is missing'],
	[{ company: { ...company, client_secret: { env: "NOT_SET" } } }, "NOT_SET, which is not set or empty"],
	[{ company: { ...company, client_secret: "secret" } }, "name of an environment variable"],
	[{ company: { ...company, redirect: "x" } }, "redirect"],
	[{ company: { ...company, api_audience: company.client_id } }, "must not be client_id"],
	[
		Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, company])),
		"must have at most 20 issuers",
	],
])("refuses %j", (issuers, message) => {
	expect(() => resolve(issuers)).toThrow(message);
});

test("takes an issuer on this machine without TLS", () => {
	expect(() =>
		resolve({ company: { ...company, issuer: "http://localhost:8080/realms/main" } }),
	).not.toThrow();
});
