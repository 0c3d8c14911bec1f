import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const APP_NAME = "An <b>App</b>\u202e";

let fixture: WebAppFixture;
let admin: WebAppPage;
let viewer: WebAppPage;

const has = (app: WebAppPage, text: string) => app.page.getByText(text).first().waitFor();

describe.skipIf(!hasChromium)("access", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture();
		admin = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
		viewer = await signInToWebApp(fixture.browser, await fixture.invite("vera@example.com", "viewer"));
		await fixture.service().stemma.knowledge.create({ name: "Salaries" });
	});
	afterAll(() => fixture?.close());

	it("to a knowledge base is limited by an admin, and given to a member again", async () => {
		await viewer.open("#/knowledge");
		await has(viewer, "Salaries");
		await admin.open("#/knowledge");
		await admin.page.getByText("Salaries").first().click();
		await has(admin, "Who can see this");
		await admin.page.getByLabel("Some members").check();
		await has(admin, "vera@example.com");
		await admin.click("Save who can see it");
		await has(admin, "Saved.");
		expect(await admin.violations()).toEqual([]);
		expect(await admin.phoneOverflow()).toBeLessThanOrEqual(0);
		await admin.shoot("access");
		await viewer.page.reload();
		await has(viewer, "There is no knowledge base yet.");
		await admin.page.getByLabel("vera").check();
		await admin.click("Save who can see it");
		await has(admin, "Saved.");
		await viewer.page.reload();
		await has(viewer, "Salaries");
		expect([...admin.problems, ...viewer.problems]).toEqual([]);
	});

	describe("of an app", () => {
		let callback: Server;
		let redirectUri: string;
		let answers: URLSearchParams[];
		let authorizeUrl: string;
		beforeAll(async () => {
			answers = [];
			callback = createServer((request, response) => {
				const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
				if (pathname === "/callback") answers.push(searchParams);
				response.end("Done.");
			});
			await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
			redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
			const { url } = fixture.service();
			const body = JSON.stringify({ client_name: APP_NAME, redirect_uris: [redirectUri] });
			const registered = await fetch(`${url}/oauth/register`, { method: "POST", body });
			const { client_id } = (await registered.json()) as { readonly client_id: string };
			const query = new URLSearchParams({
				...{ client_id, redirect_uri: redirectUri, response_type: "code", state: "s" },
				code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
				code_challenge_method: "S256",
				scope: "ask agents:run",
			});
			authorizeUrl = `${url}/oauth/authorize?${query}`;
		});
		afterAll(() => callback?.close());

		it("is asked for in plain words, with the name of the app as text", async () => {
			await viewer.page.goto(authorizeUrl);
			await has(viewer, "Nobody has checked it");
			const text = (await viewer.page.getByRole("main").textContent()) ?? "";
			expect(text).toContain("An <b>App</b>");
			expect(text).not.toContain("\u202e");
			expect(text).toContain("run agents as you");
			expect(await viewer.violations()).toEqual([]);
			expect(await viewer.phoneOverflow()).toBeLessThanOrEqual(0);
			await viewer.shoot("give-access");
			// It was opened at another name of the machine.
			const { origin } = new URL(authorizeUrl);
			expect(viewer.problems.filter((problem) => !problem.includes(origin))).toEqual([]);
			expect(answers).toEqual([]);
		});

		it("is denied, and given by a click, and ended", async () => {
			await viewer.click("Deny");
			await viewer.page.waitForURL(`${redirectUri}?**`);
			const issuer = new URL(authorizeUrl).origin;
			expect(Object.fromEntries(answers[0] ?? [])).toEqual({
				error: "access_denied",
				state: "s",
				iss: issuer,
			});
			await viewer.page.goto(authorizeUrl);
			await viewer.click("Give access");
			await viewer.page.waitForURL(`${redirectUri}?**`);
			expect([...(answers[1] ?? [])].map(([name]) => name)).toEqual(["code", "state", "iss"]);
			const body = new URLSearchParams({
				...{
					grant_type: "authorization_code",
					code: answers[1]?.get("code") ?? "",
					redirect_uri: redirectUri,
				},
				...{ client_id: new URL(authorizeUrl).searchParams.get("client_id") ?? "", code_verifier: VERIFIER },
			});
			expect((await fetch(`${issuer}/oauth/token`, { method: "POST", body })).status).toBe(200);
			await viewer.page.goto(`${issuer}/#/apps`);
			await has(viewer, "An <b>App</b>");
			expect(await viewer.violations()).toEqual([]);
			await viewer.shoot("connected-apps");
			await viewer.page.getByRole("button", { name: /^End access of/ }).click();
			await viewer.page.getByRole("dialog").getByRole("button", { name: "End access", exact: true }).click();
			await has(viewer, "No app has access as you.");
		});

		it("cannot be framed by another page", async () => {
			const { headers } = await fetch(authorizeUrl, { headers: { accept: "text/html" } });
			expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
			expect(headers.get("x-frame-options")).toBe("DENY");
		});
	});
});
