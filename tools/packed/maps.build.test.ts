import { mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PUBLISHED, unpackPublished } from "./published";

const root = fileURLToPath(new URL("../..", import.meta.url));

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-maps-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(PUBLISHED)("what is published of packages/%s", (name) => {
	let files: readonly (readonly [path: string, text: string])[];
	beforeAll(async () => {
		const paths = await unpackPublished(name, join(folder, name));
		files = await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const));
	});

	it("has no source maps, which would weigh twice as much as all else, and names none", () => {
		expect(files.filter(([path]) => path.endsWith(".map")).map(([path]) => path)).toEqual([]);
		const scripts = files.filter(([path]) => /\.c?js$/.test(path));
		expect(scripts.length).toBeGreaterThan(0);
		expect(scripts.filter(([, text]) => text.includes("sourceMappingURL=")).map(([path]) => path)).toEqual(
			[],
		);
	});

	it("names no folder of the builder's machine", () => {
		const folders = [root, homedir() === "/root" ? "/root/" : homedir()];
		const named = files.filter(([, text]) => folders.some((one) => text.includes(one)));
		expect(named.map(([path]) => path)).toEqual([]);
	});
});
