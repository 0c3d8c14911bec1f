import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listQuickTests } from "../../scripts/affected-tests.mjs";
import config from "../../vitest.config.ts";
import { listFiles, root } from "../sources/list-files.ts";

it("are chosen from the files of the projects that npm run check runs", () => {
	const projects = (config.test?.projects ?? []).flatMap((project) =>
		typeof project === "object" && "test" in project && project.test !== undefined ? [project.test] : [],
	);
	const matches = (file: string, globs: readonly string[] = []): boolean =>
		globs.some((glob) => matchesGlob(file, glob));
	const expected = listFiles(["packages", "tools"], /\.test\.tsx?$/).filter((file) =>
		projects.some(
			({ name, include, exclude }) =>
				["unit", "routes"].includes(String(name)) && matches(file, include) && !matches(file, exclude),
		),
	);
	expect(listQuickTests().sort()).toEqual(expected);
	expect(expected.length).toBeGreaterThan(400);
});

describe("the tests that something changed for", () => {
	let checkout: string;
	beforeEach(() => {
		checkout = mkdtempSync(join(tmpdir(), "stemma-affected-"));
		cpSync(join(root, "scripts"), join(checkout, "scripts"), { recursive: true });
		mkdirSync(join(checkout, "examples"));
		mkdirSync(join(checkout, "tools"));
		write("packages/core/src/index.ts", 'export { depth } from "./depth";');
		write("packages/core/src/depth.ts", "export const depth = 1;");
		write("packages/core/src/depth.test.ts", 'import { depth } from "./depth";');
		write("packages/core/src/other.test.ts", 'import { expect } from "vitest";');
		write("packages/core/src/reads.test.ts", 'new URL("../../..", import.meta.url);');
		write("packages/service/src/index.ts", 'import { depth } from "@stemma/core";');
		write("packages/service/src/store/database-thread.ts", "");
		write("packages/service/src/a.route.test.ts", 'import { createService } from "@stemma/service";');
		write("packages/service/src/b.build.test.ts", "");
	});
	afterEach(() => rmSync(checkout, { recursive: true }));

	function write(path: string, text: string): void {
		mkdirSync(dirname(join(checkout, path)), { recursive: true });
		writeFileSync(join(checkout, path), text);
	}

	/** Finds them, and records that all passed but `failing`. */
	function run(failing = ""): string[] {
		const program = `import { findAffectedTests } from "./scripts/affected-tests.mjs";
			const { files, record } = findAffectedTests();
			const testResults = files.map((file) => ({
				name: process.cwd() + "/" + file,
				status: file === ${JSON.stringify(failing)} ? "failed" : "passed",
			}));
			record({ testResults });
			console.log(JSON.stringify(files));`;
		const args = ["--input-type=module", "--eval", program];
		const stdout = execFileSync(process.execPath, args, { cwd: checkout, encoding: "utf8" });
		return JSON.parse(stdout)
			.map((file: string) => file.replace(/^.*\//, ""))
			.sort();
	}

	it("are all of them at first, then those alone that read files of the repository", () => {
		expect(run()).toEqual(["a.route.test.ts", "depth.test.ts", "other.test.ts", "reads.test.ts"]);
		expect(run()).toEqual(["reads.test.ts"]);
	});

	it("are those that import what changed, through whatever it is", () => {
		run();
		write("packages/core/src/depth.ts", "export const depth = 2;");
		expect(run()).toEqual(["a.route.test.ts", "depth.test.ts", "reads.test.ts"]);
		write("packages/service/src/store/database-thread.ts", "// changed");
		expect(run()).toEqual(["a.route.test.ts", "reads.test.ts"]);
	});

	it("are those that name what changed: a file, a folder, a file of a folder, and what a program imports", () => {
		write("packages/core/src/file.test.ts", 'new URL("../../../docs/page.md", import.meta.url);');
		write("packages/core/src/folder.test.ts", 'new URL("./__fixtures__/", import.meta.url);');
		write("packages/core/src/one.test.ts", `new URL(\`./__fixtures__/\${name}.json\`, import.meta.url);`);
		write("packages/core/src/program.test.ts", 'new URL("main.ts", import.meta.url);');
		write("packages/core/src/main.ts", 'import { depth } from "./depth.ts";');
		write("docs/page.md", "A page.");
		write("packages/core/src/__fixtures__/deep/a.json", "1");
		run();
		expect(run()).toEqual(["reads.test.ts"]);
		write("docs/page.md", "Another page.");
		expect(run()).toEqual(["file.test.ts", "reads.test.ts"]);
		write("packages/core/src/__fixtures__/deep/a.json", "2");
		expect(run()).toEqual(["folder.test.ts", "one.test.ts", "reads.test.ts"]);
		write("packages/core/src/__fixtures__/b.json", "1");
		expect(run()).toEqual(["folder.test.ts", "one.test.ts", "reads.test.ts"]);
		write("packages/core/src/depth.ts", "export const depth = 3;");
		expect(run()).toContain("program.test.ts");
	});

	it("are always those that name nothing that is there, or more than a folder of a package", () => {
		write("packages/core/src/reads.test.ts", 'new URL("./missing.json", import.meta.url);');
		write("packages/core/src/other.test.ts", 'new URL("../../", import.meta.url);');
		write("packages/core/src/depth.test.ts", 'new URL("./depth.ts", import.meta.url); process.cwd();');
		run();
		expect(run()).toEqual(["depth.test.ts", "other.test.ts", "reads.test.ts"]);
	});

	it("are those that failed, until they pass", () => {
		run("packages/core/src/other.test.ts");
		expect(run()).toEqual(["other.test.ts", "reads.test.ts"]);
		expect(run()).toEqual(["reads.test.ts"]);
	});

	it("are all of them when a dependency changes", () => {
		run();
		write("pnpm-lock.yaml", "lockfileVersion: 1");
		expect(run()).toHaveLength(4);
	});
});
