import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { runtimeAgents } from "@stemma/client";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasChromium, startChromium } from "../quick-starts/page";
import { createPackedConsumer, type PackedConsumer } from "./packed-consumer";
import { PUBLISHED } from "./published";

const harness = createHarness();
let consumer: PackedConsumer;
let project: string;
let baseUrl = "";
beforeAll(async () => {
	consumer = await createPackedConsumer(
		PUBLISHED.filter((name) => name !== "react"),
		// The process that reads documents may read what is installed beside the service, and follows no links out of there.
		{ isCopied: true },
	);
	project = join(consumer.folder, "my-desk");
});
afterAll(async () => {
	await harness.end();
	await consumer?.remove();
});

const run = (program: string, args: readonly string[], cwd = consumer.folder) =>
	promisify(execFile)(process.execPath, [join(consumer.folder, "node_modules", program), ...args], { cwd });

it("npm create stemma makes a project that passes its tests and answers, from the packed packages alone", async () => {
	const { stdout } = await run("create-stemma/dist/main.js", ["my-desk"]);
	expect(stdout).toContain("  cd my-desk\n  npm install\n  npm run dev");
	await expect(run("create-stemma/dist/main.js", ["my-desk"])).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^error: .* is not empty: .*\nhint: /),
	});
	await promisify(execFile)(process.execPath, ["--test"], { cwd: project });
	const program = join(consumer.folder, "node_modules/stemma/dist/main.js");
	const server = harness.start({ args: [program, "dev", "--port", "0"], cwd: project });
	[, baseUrl = ""] = await server.waitForOutput(/serves this project on (\S+)\n[\s\S]*Ctrl-C stops it/);
	expect(server.output()).toMatch(/Ingested 3 documents \(3 new, .* 0 failed/);
	const page = await fetch(`${baseUrl}/web/modules/@stemma/client/dist/index.js`);
	expect(page.headers.get("content-type")).toMatch(/^text\/javascript/);
	const { output } = await runtimeAgents({ baseUrl }).run("desk", { input: "How long does a refund take?" });
	expect(output).toMatch(/^Quoted from the documents:\n"A refund takes five working days .*" \[1\]$/);
	const app = await fetch(baseUrl, { headers: { accept: "text/html" } });
	expect(await app.text()).toContain("<script");
});

it.skipIf(!hasChromium)("its page shows the answer as it comes, with its sources", async () => {
	const browser = await startChromium();
	try {
		const page = await browser.newPage();
		const errors: string[] = [];
		page.on("pageerror", (error) => errors.push(String(error)));
		await page.goto(`${baseUrl}/web/`);
		await page.getByRole("button", { name: "Ask" }).click();
		await page.locator(".sources").waitFor();
		expect(await page.locator(".answer").textContent()).toMatch(/five working days.*\[1\] Refunds/s);
		await page.getByRole("textbox").fill("Is a gift card valid for ever?");
		await page.keyboard.press("Enter");
		await page.locator(".sources").nth(1).waitFor();
		expect(await page.locator(".answer").nth(1).textContent()).toContain("three years");
		expect(errors).toEqual([]);
	} finally {
		await browser.close();
	}
});
