import * as built from "@stemma/service";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type OidcFixture, startOidcFixture } from "../../people/test-support/oidc-fixture";

let fixture: OidcFixture;
beforeAll(async () => {
	fixture = await startOidcFixture(built, { users: "verified_email", role: "viewer" });
	fixture.issuer.account = { sub: "ada", email: "ada@example.com", email_verified: true };
});
afterAll(() => fixture?.close());
afterEach(() => fixture.intercept(undefined));

/** Changes claims of the ID token, which the issuer's key signs, as one key signs for all tenants of a vendor. */
function changeClaims(change: Readonly<Record<string, unknown>>): void {
	fixture.intercept(async (url, response) => {
		if (!url.endsWith("/token")) return response;
		const body = await response.json();
		const [, payload = ""] = String(body.id_token).split(".");
		const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
		return Response.json({ ...body, id_token: await fixture.issuer.sign({ ...claims, ...change }) });
	});
}

it.each<readonly [string, Readonly<Record<string, unknown>>]>([
	["of another tenant", { iss: "https://login.example/another-tenant/v2.0" }],
	["of the tenant in another case", { iss: "HTTP://LOCALHOST" }],
	["for another client", { aud: "another-client" }],
	[
		"for several clients, without saying which one asked",
		{ aud: ["stemma", "another-client"], azp: "another-client" },
	],
])("takes no ID token %s, whose signature is right", async (_, change) => {
	changeClaims(change);
	const response = await fixture.signInThere();
	expect(response.status).not.toBe(303);
	expect(response.text).toContain("<code>sign_in_failed</code>");
	expect(response.headers.getSetCookie().filter((cookie) => /=st_/.test(cookie))).toEqual([]);
});

it("takes one of its own tenant, signed anew", async () => {
	changeClaims({});
	expect((await fixture.signInThere()).status).toBe(303);
});
