import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { watchFolder } from "./watch-folder";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-watch-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("sees files that come, change and go, in folders below, too, and nothing after it was stopped", async () => {
	let changes = 0;
	await mkdir(join(folder, "below"));
	const stop = await watchFolder(folder, async () => void changes++);
	const file = join(folder, "below", "a.js");
	await writeFile(file, "1");
	await expect.poll(() => changes).toBe(1);
	await writeFile(file, "22");
	await expect.poll(() => changes).toBe(2);
	await writeFile(join(folder, ".hidden"), "1");
	await rm(file);
	await expect.poll(() => changes).toBe(3);
	stop();
	await writeFile(file, "1");
	// As long as two looks.
	await new Promise((resolve) => setTimeout(resolve, 250));
	expect(changes).toBe(3);
});
