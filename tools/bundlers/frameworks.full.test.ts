import { join } from "node:path";
import { createHarness, findStablePort } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientServer, startClientServer } from "../packed/client-server";
import { hasChromium, startChromium } from "../quick-starts/page";
import { ANSWER, copyApps, findScript, isInstalled, QUESTION, runTool, serverEnvironment } from "./apps";
import { openPage } from "./open-page";

const harness = createHarness();
const WARNING = /warn|error|⚠/i;

let apps: string;
let server: ClientServer;
let browser: Browser | undefined;
let next: string;
let reactRouter: string;
beforeAll(async () => {
	if (!isInstalled) return;
	const [nextPort, reactRouterPort] = await Promise.all([findStablePort(), findStablePort()]);
	next = `http://127.0.0.1:${nextPort}`;
	reactRouter = `http://127.0.0.1:${reactRouterPort}`;
	[apps, server] = await Promise.all([
		copyApps("frameworks", ["next", "react-router"]),
		startClientServer({ origins: [next, reactRouter] }),
	]);
	if (hasChromium) browser = await startChromium();
});
afterAll(async () => {
	await browser?.close();
	await Promise.all([server?.close(), harness.end()]);
});

/** Starts the server of an app. */
async function serve(
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>>,
	is: RegExp,
) {
	const program = harness.start({
		args,
		cwd,
		env: { NO_COLOR: "1", NODE_ENV: "production", ...serverEnvironment(server), ...env },
	});
	await program.waitForOutput(is);
	return program;
}

describe.skipIf(!isInstalled)("an app of the packed packages", () => {
	it("is built by Next.js without a warning, and asks in server component, route handler and client component", async () => {
		const cwd = join(apps, "next");
		const env = { NEXT_TELEMETRY_DISABLED: "1", HOME: cwd };
		const script = findScript("next");
		expect(await runTool(harness, [script, "build"], cwd, env)).not.toMatch(WARNING);
		const port = new URL(next).port;
		const program = await serve([script, "start", "-H", "127.0.0.1", "-p", port], cwd, env, /Ready in/);
		expect(await (await fetch(next)).text()).toContain("Refunds take five working days");
		const response = await fetch(`${next}/api/chat`, {
			method: "POST",
			body: JSON.stringify({
				id: "chat",
				trigger: "submit-message",
				messages: [{ id: "1", role: "user", parts: [{ type: "text", text: QUESTION }] }],
			}),
		});
		expect(response.status).toBe(200);
		expect(await response.text()).toMatch(/five [\s\S]*data: \[DONE\]/);
		if (browser !== undefined) await chat(browser);
		expect(program.output()).not.toMatch(WARNING);
	});

	async function chat(browser: Browser): Promise<void> {
		const { page, problems, read } = await openPage(browser, next);
		expect(await read("server")).toBe(ANSWER);
		await page.getByLabel("Your message").fill(QUESTION);
		await page.getByRole("button", { name: "Send" }).click();
		const messages = page.locator(".stemma-message .stemma-text");
		// The chat makes a button of the number.
		await expect.poll(() => messages.allTextContents()).toEqual([QUESTION, ANSWER.replace("[1]", "1")]);
		// By the stylesheet of the package.
		const chat = page.locator(".stemma-chat");
		expect(await chat.evaluate((element) => getComputedStyle(element).display)).toBe("flex");
		expect(problems).toEqual([]);
	}

	it("is built by React Router without a warning, and asks in loader and component", async () => {
		const cwd = join(apps, "react-router");
		const output = await runTool(harness, [findScript("@react-router/dev", "react-router"), "build"], cwd);
		expect(output).not.toMatch(WARNING);
		const { port } = new URL(reactRouter);
		const script = findScript("@react-router/serve", "react-router-serve");
		const env = { HOST: "127.0.0.1", PORT: port };
		const program = await serve([script, "build/server/index.js"], cwd, env, /http:\/\/\S+/);
		expect(await (await fetch(reactRouter)).text()).toContain(ANSWER);
		if (browser === undefined) return;
		const { page, problems, read } = await openPage(browser, reactRouter);
		await page.getByRole("button", { name: "Ask" }).click();
		await expect.poll(() => read("status")).toBe("completed");
		expect(await read("answer")).toBe(ANSWER);
		expect(problems).toEqual([]);
		expect(program.output()).not.toMatch(WARNING);
	});
});
