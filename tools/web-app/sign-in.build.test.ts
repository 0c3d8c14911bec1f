import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type OidcSimulator, startOidcSimulator } from "@stemma/simulators/oidc";
import { createHarness, findStablePort } from "@stemma/simulators/processes";
import type { Browser, CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService } from "../end-to-end/servers";
import { hasChromium, startChromium } from "../quick-starts/page";
import { openWebApp, signInToWebApp, type WebAppPage } from "./web-app-page";

const harness = createHarness();
let browser: Browser;
let issuer: OidcSimulator;
let service: ServiceProcess;
let origin: string;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });
const shows = ({ page }: WebAppPage, text: string | RegExp) =>
	until(() => page.getByText(text).first().isVisible()).toBe(true);
const invite = async (email: string) =>
	(await service.stemma.invitations.create({ email, role: "editor" })).link;

/** Gives the browser a device with passkeys, which verifies its person without asking. */
async function addAuthenticator({ page }: WebAppPage): Promise<CDPSession> {
	const session = await page.context().newCDPSession(page);
	await session.send("WebAuthn.enable");
	await session.send("WebAuthn.addVirtualAuthenticator", {
		options: {
			...{ protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true },
			...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
		},
	});
	return session;
}

const openMenu = ({ page }: WebAppPage) => page.locator('summary[aria-label="Account"]').click();

describe.skipIf(!hasChromium)("the sign-in of the web app", () => {
	beforeAll(async () => {
		const port = String(await findStablePort());
		origin = `http://localhost:${port}`;
		issuer = await startOidcSimulator({
			...{ clientId: "stemma", clientSecret: "simulated-secret", origins: [origin] },
			callbackPath: "/v1/sign-in/company/callback",
		});
		const data = await harness.folder();
		const company = {
			...{ name: "Company", issuer: issuer.issuer, client_id: "stemma" },
			client_secret: { env: "COMPANY_CLIENT_SECRET" },
			...{ users: "verified_email", role: "viewer" },
		};
		const configuration = { sign_in: { issuers: { company } } };
		await writeFile(join(data, "stemma.config.json"), JSON.stringify(configuration));
		[browser, service] = await Promise.all([
			startChromium(),
			startService(harness, { data, port, env: { COMPANY_CLIENT_SECRET: "simulated-secret" } }),
		]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), issuer?.close(), harness.end()]);
	});

	it("adds a passkey, and signs in with it on the page that was asked for", async () => {
		const app = await signInToWebApp(browser, await invite("ada@example.com"));
		await addAuthenticator(app);
		await shows(app, "There is nothing to answer from yet");
		await openMenu(app);
		await app.page.getByRole("link", { name: "Passkeys and sessions" }).click();
		await shows(app, "You have no passkey yet.");
		expect(await app.violations()).toEqual([]);
		await app.page.getByLabel("Name of the passkey").fill("Laptop");
		await app.click("Add a passkey");
		await shows(app, /not used yet/);
		await shows(app, "Laptop");
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("account");

		// The link was made by a client, which could have opened it, too.
		await shows(app, /You are signed in by a link that cl_/);
		await shows(app, /added in a session by a link of cl_/);
		await app.click("Add a passkey");
		await shows(app, /another way to sign in/);

		await app.click("Rename Laptop");
		await app.page.getByLabel("Name of the passkey").first().fill("Old laptop");
		await app.click("Save");
		await shows(app, "Old laptop");

		await openMenu(app);
		await app.click("Sign out");
		await shows(app, "Sign in with a passkey");
		await app.open("#/knowledge");
		await app.page.reload();
		await app.click("Sign in with a passkey");
		await shows(app, "There is no knowledge base yet.");
		await app.open("#/account");
		await shows(app, /last used/);
		await app.page.getByText(/You are signed in by a link/).waitFor({ state: "detached" });

		// The device has one for this person already.
		await app.click("Add a passkey");
		await shows(app, /No passkey was added/);

		await app.click("Remove Old laptop");
		await app.page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
		await shows(app, "You have no passkey yet.");
		await openMenu(app);
		await app.click("Sign out");
		await app.click("Sign in with a passkey");
		await shows(app, /passkey_invalid/);
		await app.close();
	});

	it("shows admins the passkeys of a member, who is in no more with one that was removed", async () => {
		const app = await signInToWebApp(browser, await invite("alan@example.com"));
		await addAuthenticator(app);
		await app.open("#/account");
		await app.page.getByLabel("Name of the passkey").fill("Lost phone");
		await app.click("Add a passkey");
		await shows(app, /not used yet/);
		const { link } = await service.stemma.invitations.create({ email: "root@example.com", role: "admin" });
		const admin = await signInToWebApp(browser, link);
		await admin.open("#/members");
		await admin.click("Passkeys of alan");
		await shows(admin, "Lost phone");
		expect(await admin.violations()).toEqual([]);
		await admin.click("Remove the passkey Lost phone of alan");
		await admin.page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
		await shows(admin, "No passkeys.");
		await openMenu(app);
		await app.click("Sign out");
		await app.click("Sign in with a passkey");
		await shows(app, /passkey_invalid/);
		await Promise.all([app.close(), admin.close()]);
	});

	it("lists sessions, and ends one of another browser", async () => {
		const app = await signInToWebApp(browser, await invite("grace@example.com"));
		const other = await signInToWebApp(browser, await invite("grace@example.com"));
		await shows(other, "Ask");
		await app.open("#/account");
		await until(() => app.page.getByRole("button", { name: /^Sign out Chrome/ }).count()).toBe(2);
		const row = app.page.getByRole("listitem").filter({ hasNotText: "this browser" });
		await row.getByRole("button", { name: /^Sign out Chrome/ }).click();
		await until(() => app.page.getByRole("button", { name: /^Sign out Chrome/ }).count()).toBe(1);
		await other.page.reload();
		await shows(other, "Sign in to Stemma");
		expect(app.problems).toEqual([]);
		await Promise.all([app.close(), other.close()]);
	});

	it("signs in at the issuer of the company, and shows the page that was asked for", async () => {
		issuer.account = { sub: "u1", email: "joan@example.com", email_verified: true, name: "Joan" };
		const app = await openWebApp(browser, `${origin}/#/knowledge`);
		await shows(app, "Sign in with Company");
		expect(await app.violations()).toEqual([]);
		await app.shoot("sign-in-issuer");
		await app.page.getByRole("link", { name: "Sign in with Company" }).click();
		await shows(app, "There is no knowledge base yet.");
		expect(app.page.url()).toBe(`${origin}/#/knowledge`);
		await openMenu(app);
		await shows(app, "joan@example.com");
		await app.click("Sign out");
		// The issuer asks whether to sign out there, too.
		await app.page.waitForURL((url) => url.origin === issuer.issuer);
		await app.close();
	});

	it("shows in plain words why somebody is not signed in", async () => {
		issuer.account = { sub: "u2", email: "eve@example.com", email_verified: false };
		const app = await openWebApp(browser, `${origin}/`);
		await app.page.getByRole("link", { name: "Sign in with Company" }).click();
		await shows(app, "Your account at Company has no access here.");
		await shows(app, "sign_in_not_allowed");
		expect(await app.violations()).toEqual([]);
		await app.page.getByRole("link", { name: "Back to the sign-in" }).click();
		await shows(app, "Sign in with Company");
		await app.close();
	});
});
