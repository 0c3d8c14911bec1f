import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findDeadLinks } from "./find-dead-links";

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-links-"));
	await mkdir(join(folder, "api"));
	await writeFile(join(folder, "api/index.html"), '<h1 id="top">API</h1> <a href="../">back</a>');
	await writeFile(join(folder, "a file.txt"), "");
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
	["#here", false],
	["#nowhere", true],
	["api/", false],
	["api/index.html#top", false],
	["api/#bottom", true],
	["/0.1.0/api/", false],
	["/0.1.0/index.html?a=1#here", false],
	["/api/", true],
	["a%20file.txt", false],
	["a.txt", true],
	["https://elsewhere.example/", false],
])("%s is dead: %s", async (link, isDead) => {
	await writeFile(join(folder, "index.html"), `<p id="here"><a class="x" href="${link}">link</a></p>`);
	expect(await findDeadLinks(folder, "/0.1.0/")).toEqual(isDead ? [`index.html: ${link}`] : []);
});
