import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runtimeAgents } from "@stemma/client";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasChromium, startChromium } from "../quick-starts/page";
import { PUBLISHED, readManifest, unpackPublished } from "./published";

const execute = promisify(execFile);
const harness = createHarness();
let folder: string;
let project: string;
let baseUrl = "";
beforeAll(async () => {
	folder = await harness.folder();
	project = join(folder, "my-desk");
	await Promise.all(PUBLISHED.map((name) => unpackPublished(name, join(folder, name))));
});
afterAll(() => harness.end());

/** Lets npm take the packages of this repository from their tarballs, and the others from its registry. */
async function installFromTarballs(): Promise<void> {
	const tarballs = new Map(
		PUBLISHED.map((name) => [readManifest(name).name, `file:${join(folder, name)}.tgz`]),
	);
	const file = join(project, "package.json");
	const manifest = JSON.parse(await readFile(file, "utf8"));
	const names = Object.keys(manifest.dependencies);
	const dependencies = Object.fromEntries(names.map((name) => [name, tarballs.get(name)]));
	const overrides = Object.fromEntries(tarballs);
	await writeFile(file, JSON.stringify({ ...manifest, dependencies, overrides }));
	await execute("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: project });
}

const createStemma = () =>
	execute(process.execPath, [join(folder, "create-stemma/dist/main.js"), "my-desk"], { cwd: folder });

it("npm create stemma makes a project that passes its tests and answers, from the tarballs alone", async () => {
	const { stdout } = await createStemma();
	expect(stdout).toContain("  cd my-desk\n  npm install\n  npm run dev");
	await expect(createStemma()).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^error: .* is not empty: .*\nhint: /),
	});
	await installFromTarballs();
	await execute("npm", ["test"], { cwd: project });
	const program = join(project, "node_modules/stemma/dist/main.js");
	const server = harness.start({ args: [program, "dev", "--port", "0"], cwd: project });
	[, baseUrl = ""] = await server.waitForOutput(/serves this project on (\S+)\n[\s\S]*Ctrl-C stops it/);
	expect(server.output()).toMatch(/Ingested 3 documents \(3 new, .* 0 failed/);
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
		await page.getByRole("textbox").fill("How long is a gift card valid?");
		await page.keyboard.press("Enter");
		await page.locator(".sources").nth(1).waitFor();
		expect(await page.locator(".answer").nth(1).textContent()).toContain("three years");
		expect(errors).toEqual([]);
	} finally {
		await browser.close();
	}
});
