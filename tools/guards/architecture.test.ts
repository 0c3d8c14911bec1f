import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findCaption, listUnnamedFolders } from "./captions";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const countLines = (path: string): number => read(path).trimEnd().split("\n").length;

const IS_SOURCE = /\.(?:tsx?|mts|mjs)$/;
const IS_TEST = /\.test\.tsx?$|\.d\.m?ts$|(?:^|\/)(?:test-support|node_modules|dist|__\w+__)\//;

/** Lists source files below a folder, as paths relative to it; tests and test support are left out. */
const listSources = (folder: string): readonly string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.map((path) => path.replaceAll("\\", "/"))
		.filter((path) => IS_SOURCE.test(path) && !IS_TEST.test(path))
		.sort();

/** Checks whether a folder holds more than what an install leaves in it. */
const hasContent = (folder: string): boolean =>
	readdirSync(join(root, folder)).some((name) => name !== "node_modules");

const packages = readdirSync(join(root, "packages"));

it("ARCHITECTURE.md has at most 150 lines, README.md at most 170", () => {
	expect(countLines("ARCHITECTURE.md")).toBeLessThanOrEqual(150);
	expect(countLines("README.md")).toBeLessThanOrEqual(170);
});

describe("ARCHITECTURE.md names every folder with source files, and no other", () => {
	const page = read("ARCHITECTURE.md");

	it.each(packages)("of packages/%s", (name) => {
		const section = page.split(/^## /m).find((text) => text.startsWith(`packages/${name}:`)) ?? "";
		expect(section).not.toBe("");
		const folders = listSources(`packages/${name}/src`)
			.map((path) => `${dirname(path)}/`)
			.filter((folder) => folder !== "./");
		expect(listUnnamedFolders(section, folders)).toEqual({ missing: [], unknown: [] });
	});

	it("around the packages", () => {
		const [, section = ""] = page.split("## Around the packages");
		const folders = ["tools", "examples"].flatMap((folder) =>
			readdirSync(join(root, folder), { withFileTypes: true })
				.filter((entry) => entry.isDirectory() && hasContent(`${folder}/${entry.name}`))
				.map(({ name }) => `${folder}/${name}/`),
		);
		expect(listUnnamedFolders(section, [...folders, "scripts/", "deploy/"])).toEqual({
			missing: [],
			unknown: [],
		});
	});
});

it.each(packages)("each source file of packages/%s begins with its caption", (name) => {
	const folder = `packages/${name}/src`;
	expect(listSources(folder).filter((path) => findCaption(read(`${folder}/${path}`)) === undefined)).toEqual(
		[],
	);
});

describe("a caption", () => {
	const FILE = 'import { a } from "./a";\n\n';
	it.each([
		[
			"before the first export",
			`${FILE}const B = 1;\n\n/** Caption. */\nexport const c = a + B;\n`,
			"Caption.",
		],
		[
			"before an earlier declaration",
			`${FILE}/** Caption. */\nconst B = 1;\n\nexport const c = a;\n`,
			"Caption.",
		],
		[
			"in several lines",
			`${FILE}/**\n * Caption of\n * two lines.\n */\nexport const c = a;\n`,
			"Caption of two lines.",
		],
		["before a statement", `${FILE}/** Caption. */\nserve(a);\n`, "Caption."],
		[
			"not after the first export",
			`${FILE}export const c = a;\n\n/** Caption. */\nexport const d = a;\n`,
			undefined,
		],
		[
			"not inside a declaration",
			`${FILE}export interface C {\n\t/** Caption. */\n\treadonly d: string;\n}\n`,
			undefined,
		],
		["not empty", `${FILE}/** */\nexport const c = a;\n`, undefined],
		["in no file of re-exports", 'export { a } from "./a";\nexport type { B } from "./b";\n', ""],
	])("stands %s", (_, source, caption) => {
		expect(findCaption(source)).toBe(caption);
	});
});

it("tells folders that a page does not name from names without a folder", () => {
	expect(listUnnamedFolders("- `a/` one; `a/c/` two", ["a/", "a/", "b/"])).toEqual({
		missing: ["b/"],
		unknown: ["a/c/"],
	});
});
