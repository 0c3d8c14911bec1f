import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const PUBLISHED = [
	"a2a-server",
	"cli",
	"client",
	"core",
	"dbos",
	"engine",
	"local",
	"react",
	"routing",
	"runtime",
	"service",
];

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-maps-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(PUBLISHED)("what is published of packages/%s", (name) => {
	let files: readonly (readonly [path: string, text: string])[];
	beforeAll(async () => {
		const target = join(folder, name);
		await execute(join(root, "node_modules/.bin/pnpm"), ["pack", "--out", `${target}.tgz`], {
			cwd: join(root, "packages", name),
		});
		await execute("mkdir", [target]);
		await execute("tar", ["-xzf", `${target}.tgz`, "-C", target, "--strip-components=1"]);
		const entries = await readdir(target, { recursive: true, withFileTypes: true });
		const paths = entries
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name));
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
