import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PACKAGES, PUBLISHED, readManifest } from "../packed/published";
import { REPOSITORY } from "../packed/readme-links";

const root = fileURLToPath(new URL("../..", import.meta.url));
const changesets = JSON.parse(readFileSync(join(root, ".changeset/config.json"), "utf8"));

describe.each(PUBLISHED)("the manifest of packages/%s", (folder) => {
	const manifest = readManifest(folder);

	it("says what it is, where it is from, and under which licence", () => {
		expect(manifest).toMatchObject({
			description: expect.stringMatching(/^[A-Z].{20,}[^.]$/),
			homepage: `${REPOSITORY}/tree/main/packages/${folder}#readme`,
			bugs: `${REPOSITORY}/issues`,
			repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: `packages/${folder}` },
			license: "MIT",
			author: "The Stemma authors",
		});
		const { keywords = [] } = manifest;
		expect(keywords.length).toBeGreaterThanOrEqual(5);
		expect(new Set(keywords).size).toBe(keywords.length);
	});

	it("is published for everybody, with a statement of where it was built", () => {
		expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
	});

	it("publishes its changelog, and the licences of what is bundled into it", () => {
		expect(manifest.files).toContain("CHANGELOG.md");
		const isBundling = existsSync(join(root, "packages", folder, "THIRD-PARTY-LICENSES"));
		expect(manifest.files?.includes("THIRD-PARTY-LICENSES")).toBe(isBundling);
		const own = readFileSync(join(root, "packages", folder, "LICENSE"), "utf8");
		expect(own).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
	});

	it("names the Node that it needs", () => {
		expect(manifest.engines).toEqual({
			node: expect.stringMatching(/^(?:>=18(?:\.3)?|>=20|\^22\.16\.0 \|\| >=24)$/),
		});
	});
});

describe("all packages", () => {
	it("have one version, which changesets raise together", () => {
		expect(new Set(PUBLISHED.map((folder) => readManifest(folder).version)).size).toBe(1);
		const names = PUBLISHED.map((folder) => readManifest(folder).name).sort();
		expect(changesets.fixed.map((group: readonly string[]) => [...group].sort())).toEqual([names]);
	});

	it("that are not published have nothing to publish with", () => {
		for (const folder of PACKAGES.filter((one) => !PUBLISHED.includes(one)))
			expect(readManifest(folder)).not.toHaveProperty("publishConfig");
	});
});
