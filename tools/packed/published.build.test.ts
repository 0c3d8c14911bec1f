import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PackageManifest, PUBLISHED, readManifest, unpackPublished } from "./published";
import { findDeadLink, listAnchors, listLinks } from "./readme-links";

const root = fileURLToPath(new URL("../..", import.meta.url));

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-published-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Guides may lead to one another; all else as in a README. */
async function findDeadLinks(guide: string, target: string): Promise<readonly string[]> {
	const page = await readFile(join(target, guide), "utf8");
	return listLinks(page).flatMap((link) => {
		const [path = "", anchor] = link.split("#");
		if (!/^[\w.-]+$/.test(path)) return findDeadLink(link, page, root) ?? [];
		const file = join(target, "dist/docs", path);
		if (!existsSync(file)) return [`${guide}: ${link} names no file`];
		const isDead = anchor !== undefined && !listAnchors(readFileSync(file, "utf8")).includes(anchor);
		return isDead ? [`${guide}: ${link} names no heading`] : [];
	});
}

describe.each(PUBLISHED)("packages/%s on npm", (name) => {
	const source = readManifest(name);
	let target: string;
	let files: readonly string[];
	beforeAll(async () => {
		target = join(folder, name);
		files = (await unpackPublished(name, target)).map((path) => relative(target, path).replaceAll("\\", "/"));
	});

	it("has no dead link in its README", async () => {
		const page = await readFile(join(target, "README.md"), "utf8");
		expect(listLinks(page).flatMap((link) => findDeadLink(link, page, root) ?? [])).toEqual([]);
	});

	it("has guides of its version without dead links, where it has any", async () => {
		const guides = files.filter((file) => file.startsWith("dist/docs/"));
		if (["cli", "client"].includes(name)) expect(guides.length).toBeGreaterThan(5);
		const dead = await Promise.all(guides.map((guide) => findDeadLinks(guide, target)));
		expect(dead.flat()).toEqual([]);
	});

	it("has its licence and those of what it bundles, and neither sources nor tests", () => {
		const licences = ["LICENSE", ...(source.files ?? []).filter((file) => file === "THIRD-PARTY-LICENSES")];
		expect(files).toEqual(expect.arrayContaining(["README.md", "package.json", ...licences]));
		const own = files.filter((file) => !file.startsWith("template/"));
		expect(own.filter((file) => /^src\/|\.test\.|tsconfig|tsup\.config/.test(file))).toEqual([]);
	});

	it("depends on the very versions that are published with it", async () => {
		const packed: PackageManifest = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
		const dependencies = Object.entries(packed.dependencies ?? {});
		const siblings = dependencies.filter(([dependency]) => dependency.startsWith("@stemma/"));
		expect(siblings.map(([, version]) => version)).toEqual(siblings.map(() => source.version));
		expect(JSON.stringify(packed.dependencies ?? {})).not.toContain("workspace:");
	});
});
