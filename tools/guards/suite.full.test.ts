import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runSuite } from "../../scripts/suite.mjs";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-suite-"));
	vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
	vi.restoreAllMocks();
	rmSync(folder, { recursive: true, force: true });
});

const FLAKY = `
	import { existsSync, writeFileSync } from "node:fs";
	it("fails once", () => {
		const marker = new URL("./was-here", import.meta.url);
		const isSecond = existsSync(marker);
		writeFileSync(marker, "");
		expect(isSecond).toBe(true);
	});
	it("passes beside it", () => undefined);`;

async function run(tests: Record<string, string>) {
	for (const [name, source] of Object.entries(tests)) writeFileSync(join(folder, `${name}.test.mjs`), source);
	const untilQuiet = vi.fn(async () => undefined);
	writeFileSync(join(folder, "vitest.config.mjs"), "export default { test: { globals: true } };");
	const args = ["--root", folder];
	return { suite: await runSuite({ name: "a suite", args, folder, untilQuiet }), untilQuiet };
}

it("runs files with a failure once more, and names what passes only then", async () => {
	const { suite, untilQuiet } = await run({
		steady: `it("passes", () => undefined); it.skip("waits", () => undefined);`,
		flaky: FLAKY,
	});
	expect(suite).toMatchObject({ passed: 3, failed: 0 });
	expect(suite.flaky).toEqual([expect.stringMatching(/flaky\.test\.mjs > fails once$/)]);
	expect(suite.skipped).toEqual([expect.stringMatching(/steady\.test\.mjs > waits$/)]);
	expect(untilQuiet).toHaveBeenCalledOnce();
});

it("fails for what fails twice, beside what does not", async () => {
	const { suite } = await run({ wrong: `it("fails", () => expect(1).toBe(2));`, flaky: FLAKY });
	expect(suite).toMatchObject({ passed: 2, failed: 1, flaky: [expect.stringContaining("fails once")] });
});

it("fails for a file that cannot be loaded, and for an error that nobody caught", async () => {
	expect((await run({ broken: "throw new Error('broken');" })).suite).toMatchObject({ passed: 0, failed: 1 });
	const late = `it("passes", () => undefined); setTimeout(() => Promise.reject(new Error("late")));
		afterAll(() => new Promise((resolve) => setTimeout(resolve, 100)));`;
	rmSync(join(folder, "broken.test.mjs"));
	const { suite, untilQuiet } = await run({ late });
	expect(suite).toMatchObject({ passed: 1, failed: 1, flaky: [] });
	expect(untilQuiet).not.toHaveBeenCalled();
});

it("runs nothing twice where nothing failed", async () => {
	const { suite, untilQuiet } = await run({ steady: `it("passes", () => undefined);` });
	expect(suite).toEqual({ passed: 1, failed: 0, skipped: [], flaky: [] });
	expect(untilQuiet).not.toHaveBeenCalled();
});
