import { mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
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

	it("has source maps without a path of the builder's machine", () => {
		const maps = files.filter(([path]) => path.endsWith(".map"));
		expect(maps.length).toBeGreaterThan(0);
		for (const [path, text] of maps) {
			const { file, sourceRoot, sources } = JSON.parse(text);
			const paths: readonly string[] = [
				...sources,
				...(file ? [file] : []),
				...(sourceRoot ? [sourceRoot] : []),
			];
			expect({ path, absolute: paths.filter((one) => isAbsolute(one) || /^[a-z]+:/i.test(one)) }).toEqual({
				path,
				absolute: [],
			});
		}
	});

	it("names no folder of the builder's machine", () => {
		const folders = [root, homedir() === "/root" ? "/root/" : homedir()];
		const named = files.filter(([, text]) => folders.some((one) => text.includes(one)));
		expect(named.map(([path]) => path)).toEqual([]);
	});
});
