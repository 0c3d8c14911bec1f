import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FACT, ingestHandbook } from "../end-to-end/handbook";
import { type ServiceProcess, startService, vendorEnvironment } from "../end-to-end/servers";
import { startVendor, type Vendor } from "../end-to-end/vendor";
import { hasChromium, startChromium } from "../quick-starts/page";
import { openWebApp, signInToWebApp, type WebAppPage } from "../web-app/web-app-page";
import { type ClientProcess, startClientProcess } from "./client-process";
import { isInstalled } from "./peers";

const harness = createHarness();
let vendor: Vendor;
let service: ServiceProcess;
let browser: Browser;
let client: ClientProcess;
/** Ada, a viewer. */
let app: WebAppPage;
let url: string;

describe.skipIf(!isInstalled || !hasChromium)("a person and the official client of MCP", () => {
	beforeAll(async () => {
		vendor = await startVendor();
		service = await startService(harness, { env: vendorEnvironment(vendor.baseUrl, vendor.apiKey) });
		await ingestHandbook(service.stemma);
		browser = await startChromium();
		client = startClientProcess("mcp-person");
		url = `${service.url}/mcp`;
		const { link } = await service.stemma.invitations.create({ email: "ada@example.com", role: "viewer" });
		app = await signInToWebApp(browser, link);
		await app.page.getByRole("heading", { name: "Ask" }).or(app.page.getByRole("main")).first().waitFor();
	});
	afterAll(async () => {
		await client?.end();
		await browser?.close();
		await harness.end();
		await vendor?.close();
	});

	const begin = async (): Promise<string> => {
		const { authorizationUrl } = await client.run<{ authorizationUrl: string }>("begin", { url });
		return authorizationUrl;
	};

	it("sends a stranger to the sign-in first, and back to the question after it", async () => {
		const visitor = await openWebApp(browser, service.url);
		await visitor.page.goto(await begin());
		await visitor.page.getByRole("heading", { name: "Sign in to Stemma" }).waitFor();
		const { link } = await service.stemma.invitations.create({ email: "eve@example.com", role: "viewer" });
		await visitor.open(new URL(link).hash);
		await visitor.click("Sign in with this link");
		await visitor.page.getByRole("heading", { name: "Give “Official client” access?" }).waitFor();
		await visitor.close();
	});

	it("asks the person, who sees who asks, what for and where it leads", async () => {
		const authorizationUrl = await begin();
		expect(authorizationUrl).toContain("code_challenge_method=S256");
		expect(new URL(authorizationUrl).searchParams.get("resource")).toBe(url);
		await app.page.goto(authorizationUrl);
		await app.page.getByRole("heading", { name: "Give “Official client” access?" }).waitFor();
		const text = await app.page.getByRole("main").textContent();
		for (const words of [
			"ada@example.com",
			"Nobody has checked it",
			"a program on this computer",
			"documents",
		])
			expect(text).toContain(words);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("consent");
		// It was opened at another name of the machine.
		expect(app.problems.filter((problem) => !problem.includes(service.url))).toEqual([]);
	});

	it("gets in by a click, calls tools as the person, and refreshes", async () => {
		const finished = client.run<{ scope: string; parameters: string[] }>("finish", { url });
		await app.click("Give access");
		expect(await finished).toEqual({ scope: "ask knowledge:read", parameters: ["code", "state", "iss"] });
		await app.page.getByText("You can close this page.").waitFor();
		const { tools } = await client.run<{ tools: readonly { name: string }[] }>("listTools");
		expect(tools.map(({ name }) => name)).toContain("search");
		const search = () =>
			client.run<object>("callTool", { name: "search", arguments: { query: "parental leave" } });
		expect(JSON.stringify(await search())).toContain(FACT);
		expect(await client.run("expire", { url })).toEqual({ hasNewRefreshToken: true });
		expect(JSON.stringify(await search())).toContain(FACT);
	});

	it("is shown among the connected apps, and is refused once its access has ended", async () => {
		await app.open("#/apps");
		await app.page.getByText("Official client").first().waitFor();
		expect(await app.violations()).toEqual([]);
		await app.shoot("connected-apps");
		await app.click("End access of Official client");
		await app.page
			.getByRole("alertdialog")
			.or(app.page.getByRole("dialog"))
			.getByRole("button", { name: "End access", exact: true })
			.click();
		await app.page.getByText("No app has access as you.").waitFor();
		await expect(client.run("reconnect", { url })).rejects.toThrow();
		// All that is left is to ask the person again.
		expect(await client.run("readAuthorizationUrl")).toContain("/oauth/authorize");
	});

	it("takes a no for an answer", async () => {
		const other = startClientProcess("mcp-person");
		const { authorizationUrl } = await other.run<{ authorizationUrl: string }>("begin", { url });
		await app.page.goto(authorizationUrl);
		const finished = other.run("finish", { url });
		// Observed before the click, which it may precede.
		const refusal = expect(finished).rejects.toThrow(/access_denied/);
		await app.click("Deny");
		await refusal;
		await other.end();
	});

	it("shows a page, and sends nobody on, for a request that must not be answered", async () => {
		const { client_id } = await (
			await fetch(`${service.url}/oauth/register`, {
				method: "POST",
				body: JSON.stringify({ redirect_uris: ["https://app.example/callback"] }),
			})
		).json();
		const query = new URLSearchParams({
			...{ client_id, redirect_uri: "https://evil.example/", response_type: "code" },
			...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
		});
		await app.page.goto(`${service.url}/oauth/authorize?${query}`);
		await app.page.getByRole("heading", { name: "This app cannot be given access" }).waitFor();
		expect(await app.page.getByRole("alert").textContent()).toContain("redirect_uri");
		expect(new URL(app.page.url()).host).toBe(new URL(service.url).host.replace("127.0.0.1", "localhost"));
		expect(await app.page.getByRole("button", { name: "Give access" }).count()).toBe(0);
	});
});
