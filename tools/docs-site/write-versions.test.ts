import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sortVersions, writeVersions } from "./write-versions";

it("orders versions by their numbers, previews before their release, and leaves other folders out", () => {
	const names = ["0.9.0", "assets", "0.10.0", "1.0.0-beta.2", "1.0.0-beta.10", "1.0.0", "versions.json"];
	expect(sortVersions(names)).toEqual(["1.0.0", "1.0.0-beta.10", "1.0.0-beta.2", "0.10.0", "0.9.0"]);
});

it.each([
	[["0.1.0", "0.2.0", "0.3.0-beta.1"], "0.2.0"],
	[["0.1.0-beta.1", "0.1.0-beta.2"], "0.1.0-beta.2"],
])("of %j the start page leads to %s", async (names, newest) => {
	const folder = await mkdtemp(join(tmpdir(), "stemma-versions-"));
	for (const name of names) {
		await mkdir(join(folder, name));
		await writeFile(join(folder, name, "404.html"), name);
	}
	await writeVersions(folder);
	expect(JSON.parse(await readFile(join(folder, "versions.json"), "utf8"))).toEqual(sortVersions(names));
	expect(await readFile(join(folder, "index.html"), "utf8")).toContain(`url=${newest}/"`);
	expect(await readFile(join(folder, "404.html"), "utf8")).toBe(newest);
	await rm(folder, { recursive: true });
});
