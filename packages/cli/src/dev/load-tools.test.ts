import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createToolLoader } from "./load-tools";

let folder: string;
beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "stemma-tools-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

it("loads what modules of the folder export, and again as they are then", async () => {
	await write("refunds.mjs", "export const tools = { refund: { run: () => 5 } };");
	await write("refunds.test.mjs", "throw new Error();");
	await write("notes.md", "No tool.");
	const loader = createToolLoader(folder);
	const { refund } = await loader.load();
	const options = { signal: AbortSignal.abort(), runId: "run_1", node: "refund" };
	expect(refund?.run({}, options)).toBe(5);
	await write("refunds.mjs", "export const tools = { refund: { run: () => 7 } };");
	await write("hours.mjs", "export const tools = { hours: { run: () => 9 } };");
	const again = await loader.load();
	expect(Object.keys(again)).toEqual(["hours", "refund"]);
	expect(again.refund?.run({}, options)).toBe(7);
});

describe("says which file is wrong, and how", () => {
	it.each([
		["syntax", "export const tools = {", /^tools\/a\.mjs cannot be loaded: /],
		["an import that is missing", 'import "./none.mjs"; export const tools = {};', /a\.mjs cannot be loaded/],
		["no tools", "export const tool = {};", /^tools\/a\.mjs exports no object `tools`/],
		[
			"a name twice",
			"export const tools = { hours: { run: () => 1 } };",
			/^tools\/hours\.mjs has the tool "hours"/,
		],
	])("%s", async (_, text, message) => {
		await write("a.mjs", text);
		await write("hours.mjs", "export const tools = { hours: { run: () => 9 } };");
		await expect(createToolLoader(folder).load()).rejects.toMatchObject({
			code: "tool_not_loaded",
			message: expect.stringMatching(message),
		});
	});
});
