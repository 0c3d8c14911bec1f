import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { openWebApp, signInToWebApp, type WebAppPage } from "./web-app-page";

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });

describe.skipIf(!hasChromium)("the API reference", () => {
	let fixture: WebAppFixture;
	let app: WebAppPage;
	let origin: string;

	beforeAll(async () => {
		fixture = await startWebAppFixture(createEncryptionKey());
		const link = await fixture.invite("ada@example.com", "admin");
		({ origin } = new URL(link));
		app = await signInToWebApp(fixture.browser, link);
		await app.page.getByText("There is nothing to answer from yet").waitFor();
	});
	afterAll(() => fixture?.close());

	it("shows operations with their schemas, and asks nobody but the service", async () => {
		const reference = await openWebApp(fixture.browser, `${origin}/docs`);
		await reference.page.getByRole("heading", { name: "Stemma service" }).waitFor();
		await reference.page.goto(`${origin}/docs#tag/ask/POST/v1/ask`);
		const operation = reference.page.locator('[id="service/tag/ask/POST/v1/ask"]');
		await operation.getByRole("heading", { name: "Answer a question with citations" }).waitFor();
		await until(() => operation.textContent()).toContain("question");
		expect(
			await reference.page.getByRole("button", { name: /^(?:test request|ask ai|generate sdk)/i }).count(),
		).toBe(0);
		expect(await reference.violations()).toEqual([]);
		expect(await reference.phoneOverflow()).toBeLessThanOrEqual(0);
		await reference.shoot("api-reference");
		expect(reference.problems).toEqual([]);
		await reference.close();
	});

	it("has no part in the session of the web app that is open beside it", async () => {
		const page = await app.page.context().newPage();
		await page.goto(`${origin}/docs`);
		await page.getByRole("heading", { name: "Stemma service" }).waitFor();
		const cookies = recordCookies(page);
		const outcome = await page.evaluate(async (address) => {
			const refusal = await fetch(address, { credentials: "include" }).catch((error: unknown) =>
				String(error),
			);
			await fetch(address, { credentials: "include", mode: "no-cors" });
			return { refusal: String(refusal), origin: globalThis.origin };
		}, `${origin}/v1/session`);
		expect(outcome).toEqual({ refusal: "TypeError: Failed to fetch", origin: "null" });
		expect(await cookies()).toEqual([null, null]);
		// The same request of the app itself.
		const ownCookies = recordCookies(app.page);
		await app.page.evaluate(async (address) => (await fetch(address)).status, `${origin}/v1/session`);
		expect(await ownCookies()).toEqual([expect.stringMatching(/^stemma-/)]);
		await page.close();
	});

	it("is a page of its own policy, whose files are sent compressed and kept", async () => {
		const page = await fetch(`${origin}/docs`);
		expect(Object.fromEntries(page.headers)).toMatchObject({
			"content-type": "text/html; charset=utf-8",
			"cache-control": "no-cache",
			"content-security-policy": expect.stringMatching(
				/script-src 'self'; style-src 'self' 'unsafe-inline';.*; sandbox (?!.*allow-same-origin)/,
			),
			"referrer-policy": "no-referrer",
			"x-content-type-options": "nosniff",
			"x-frame-options": "DENY",
		});
		const [script = ""] = /docs\/assets\/[\w.-]+\.js/.exec(await page.text()) ?? [];
		const asset = await fetch(`${origin}/${script}`, { headers: { "accept-encoding": "br" } });
		expect(Object.fromEntries(asset.headers)).toMatchObject({
			"content-encoding": "br",
			"cache-control": "public, max-age=31536000, immutable",
			"access-control-allow-origin": "*",
		});
		expect((await fetch(`${origin}/docs/assets/..%2findex.html`)).status).toBe(404);
	});

	it("would be refused with the cookie, too", async () => {
		const cookies = await app.page.context().cookies();
		const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
		const ask = (headers: Readonly<Record<string, string>>): Promise<Response> =>
			fetch(`${origin}/v1/session`, { headers: { cookie, ...headers } });
		expect((await ask({ "sec-fetch-site": "same-origin" })).status).toBe(200);
		const refused = await ask({ origin: "null", "sec-fetch-site": "cross-site" });
		expect(refused.status).toBe(403);
		expect(await refused.json()).toMatchObject({ error: { code: "origin_not_allowed" } });
	});
});

/** Records the cookies of all requests that a page sends from now on. */
function recordCookies(page: Page): () => Promise<readonly (string | null)[]> {
	const requests: Request[] = [];
	page.on("request", (request) => requests.push(request));
	return () => Promise.all(requests.map((request) => request.headerValue("cookie")));
}
