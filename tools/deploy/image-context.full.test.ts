import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../sources/list-files.ts";
import { flatten, readStages } from "./read-dockerfile.ts";

// The build stage of the Dockerfile has less than a checkout: packages that copy guides are built from what it copies.

const PACKAGES = ["client", "cli"];
const tsup = join(root, "node_modules/tsup/dist/cli-default.js");

let folder: string;
beforeAll(async () => {
	// Within the checkout, where what is installed is found.
	await mkdir(join(root, ".stemma"), { recursive: true });
	folder = await mkdtemp(join(root, ".stemma", "context-"));
	const copies = flatten(await readStages(), "build").filter(({ keyword }) => keyword === "COPY");
	const sources = copies.flatMap(({ args }) => args.slice(0, -1));
	for (const source of sources.filter((path) => path !== "packages"))
		await cp(join(root, source), join(folder, source));
	for (const name of PACKAGES) await copyPackage(join("packages", name));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Sources of a package, and a link to what is installed for it. */
async function copyPackage(path: string): Promise<void> {
	await mkdir(join(folder, path), { recursive: true });
	const names = (await readdir(join(root, path))).filter((name) => !["dist", "node_modules"].includes(name));
	for (const name of names) await cp(join(root, path, name), join(folder, path, name), { recursive: true });
	await symlink(join(root, path, "node_modules"), join(folder, path, "node_modules"));
}

it.each(PACKAGES)("the package %s is built in an image, without guides", async (name) => {
	const cwd = join(folder, "packages", name);
	await promisify(execFile)(process.execPath, [tsup, "--silent", "--no-dts"], { cwd });
	const built = await readdir(join(cwd, "dist"));
	expect(built.length).toBeGreaterThan(1);
	expect(built).not.toContain("docs");
});
