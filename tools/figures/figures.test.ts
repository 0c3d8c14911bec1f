import { describe, expect, it } from "vitest";
import { parseSource } from "../sources/source-file.ts";
import { countCasts } from "./count-casts.ts";
import { findCycles } from "./find-cycles.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { formatPage } from "./format-figures.ts";
import { measureFolders } from "./measure-folders.ts";
import { measureFunctions } from "./measure-functions.ts";
import { readImports } from "./read-imports.ts";

const source = (code: string, path = "packages/core/src/file.ts") => parseSource(path, code);

describe("lengths of functions", () => {
	it("counts from the first token to the last, functions inside too", () => {
		const code = [
			"/** Adds. */",
			"export function add(a: number): number {",
			"\tconst next = () => {",
			"\t\treturn a;",
			"\t};",
			"\treturn next();",
			"}",
			"class A { constructor() {}",
			"\tget b() { return 1; } }",
			"declare function none(): void;",
			"interface I { run(): void }",
		].join("\n");
		expect(measureFunctions(source(code))).toEqual([
			{ place: "packages/core/src/file.ts:2 add", lines: 6 },
			{ place: "packages/core/src/file.ts:3 next", lines: 3 },
			{ place: "packages/core/src/file.ts:8", lines: 1 },
			{ place: "packages/core/src/file.ts:9 b", lines: 1 },
		]);
	});
});

describe("casts", () => {
	it("counts `any`, `!` and `as`, and no `as const`", () => {
		const code = `
			import { a as b } from "./a";
			const c = [1] as const;
			const d = b as unknown as string;
			const e = <number>b;
			const f: any = b!;
			let g!: string;
			class H { i!: any[]; }
			const j = { k: 1 } satisfies L;
			const text = "as any !"; // as any
		`;
		expect(countCasts(source(code))).toEqual({ any: 2, nonNull: 3, as: 3 });
	});
});

describe("cycles of imports", () => {
	const sources = [
		source('import { b } from "./b";', "packages/core/src/a.ts"),
		source('import type { A } from "./a";\nexport { c } from "./c/index.ts";', "packages/core/src/b.ts"),
		source('const d = await import("../d");', "packages/core/src/c/index.ts"),
		source('export type { C } from "./c";\nimport { type B } from "./b";', "packages/core/src/d.tsx"),
		source(
			'import "@stemma/core/d";\nimport "@stemma/client";\nimport "zod";',
			"packages/client/src/index.ts",
		),
	];
	const imports = readImports(sources);

	it("reads imports of values and of types", () => {
		expect([...imports].map(([path, { all, values }]) => [path, [...all], [...values]])).toEqual([
			["packages/core/src/a.ts", ["packages/core/src/b.ts"], ["packages/core/src/b.ts"]],
			[
				"packages/core/src/b.ts",
				["packages/core/src/a.ts", "packages/core/src/c/index.ts"],
				["packages/core/src/c/index.ts"],
			],
			["packages/core/src/c/index.ts", ["packages/core/src/d.tsx"], ["packages/core/src/d.tsx"]],
			["packages/core/src/d.tsx", ["packages/core/src/c/index.ts", "packages/core/src/b.ts"], []],
			[
				"packages/client/src/index.ts",
				["packages/core/src/d.tsx", "packages/client/src/index.ts"],
				["packages/core/src/d.tsx", "packages/client/src/index.ts"],
			],
		]);
	});

	it("finds groups of files that import one another", () => {
		const cycles = findCycles(new Map([...imports].map(([path, { all }]) => [path, all])));
		expect(cycles.map((files) => files.map((path) => path.replace("packages/", "")))).toEqual([
			["core/src/a.ts", "core/src/b.ts", "core/src/c/index.ts", "core/src/d.tsx"],
			["client/src/index.ts"],
		]);
		const ofValues = findCycles(new Map([...imports].map(([path, { values }]) => [path, values])));
		expect(ofValues).toEqual([["packages/client/src/index.ts"]]);
	});
});

describe("folders", () => {
	it("counts the files of one level", () => {
		expect(measureFolders(["a/b.ts", "a/c/d.ts", "a/c/e.ts", "a/c/f/g.ts"])).toEqual([
			{ folder: "a/c", files: 2 },
			{ folder: "a", files: 1 },
			{ folder: "a/c/f", files: 1 },
		]);
	});
});

describe("duplicates", () => {
	const lines = ["const a = 1;", "const b = 2;", "", "// A comment.", "}", "const c = 3;", "const d = 4;"];
	const find = (one: string, other: string, minLines = 4) =>
		findDuplicates(
			[
				{ path: "core/a.ts", text: one },
				{ path: "client/b.ts", text: other },
			],
			(path) => path.split("/")[0] ?? "",
			minLines,
		);

	it("finds the longest block of equal lines, whatever their indentation, comments and brackets", () => {
		const other = [
			"first();",
			...lines.filter((line) => /const/.test(line)).map((line) => `\t${line}`),
			"last();",
		];
		expect(find(lines.join("\n"), other.join("\n"), 3)).toEqual([
			{ lines: 4, places: ["core/a.ts:1", "client/b.ts:2"] },
		]);
	});

	it("finds nothing in one package, in shorter blocks, or in imports", () => {
		const imports = 'import {\n\ta,\n\tb,\n\tc,\n\td,\n} from "./e";\n';
		expect(find(imports, imports)).toEqual([]);
		expect(find(lines.join("\n"), lines.slice(0, 6).join("\n"))).toEqual([]);
		expect(find([...lines, ...lines].join("\n"), "")).toEqual([]);
	});
});

describe("the page", () => {
	it("shows the figures before and now", () => {
		const figures = {
			files: 1234,
			lines: 5,
			linesAFile: { median: 1, p90: 2, max: 3 },
			functionsOver60: 0,
			functionsOver80: 0,
			casts: { any: 0, nonNull: 0, as: 2.5 },
			filesOnCycles: { withTypes: 4, withoutTypes: 0 },
			cycles: { withTypes: 1, withoutTypes: 0 },
			filesALevel: 9,
			crowdedFolders: 0,
			coinedNames: 0,
			coinedUses: 0,
			emptyOpenings: 25,
			duplicates: 0,
			duplicateLines: 0,
		};
		const openings = [{ package: "core", docstrings: 4, empty: 1 }];
		const lists = { longFunctions: [], folders: [], cycles: [], duplicates: [], coinedNames: [] };
		const now = { figures: { ...figures, files: 1300 }, openings, ...lists };
		const page = formatPage({ commit: "abc1234", figures, openings }, now);
		expect(page).toContain('"Before" is commit abc1234');
		expect(page).toContain("| source files (without tests) | 1,234 | 1,300 |  |");
		expect(page).toContain("| import cycles, types included (files on them) | 1 (4) | 1 (4) | 0 |");
		expect(page).toContain("| `core` | 25 % | 25 % |");
	});
});
