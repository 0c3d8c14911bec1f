import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const REFUSED = [
	["packages/core/src/node.ts", 'import "node:fs";\n', "noNodejsModules"],
	["packages/engine/src/node.ts", 'import "node:fs";\n', "noNodejsModules"],
	["packages/local/src/node.ts", 'import "fs";\n', "noNodejsModules"],
	["packages/client/src/node.ts", 'import "node:fs";\n', "noNodejsModules"],
	["packages/routing/src/node.ts", 'import "node:fs";\n', "noNodejsModules"],
	["packages/cli/src/source.ts", 'import "../../core/src/id";\n', "noRestrictedImports"],
	["packages/cli/src/build.ts", 'import "@stemma/core/dist/index.js";\n', "noRestrictedImports"],
	["packages/core/src/upwards.ts", 'import "@stemma/engine";\n', "noRestrictedImports"],
	["packages/engine/src/upwards.ts", 'import "@stemma/local";\n', "noRestrictedImports"],
	["packages/client/src/sideways.ts", 'import "@stemma/engine";\n', "noRestrictedImports"],
	["packages/routing/src/sideways.ts", 'import "@stemma/client";\n', "noRestrictedImports"],
	["packages/local/src/upwards.ts", 'import "@stemma/runtime";\n', "noRestrictedImports"],
	["packages/runtime/src/sideways.ts", 'import "@stemma/service";\n', "noRestrictedImports"],
	["packages/service/src/sideways.ts", 'import "@stemma/runtime";\n', "noRestrictedImports"],
	["packages/local/src/sideways.ts", 'import "stemma";\n', "noRestrictedImports"],
	["packages/cli/src/product.ts", 'import "@stemma/simulators/openai";\n', "noRestrictedImports"],
	["packages/service/src/product.ts", 'import "@stemma/simulators/openai";\n', "noRestrictedImports"],
	["packages/simulators/src/upwards.ts", 'import "@stemma/client";\n', "noRestrictedImports"],
	["packages/core/src/default.ts", "export default 1;\n", "noDefaultExport"],
	["packages/core/src/any.ts", "export const x = (y: any): unknown => y;\n", "noExplicitAny"],
	[
		"packages/engine/src/a.ts",
		'import { b } from "./b";\n\nexport const a = (): unknown => b;\n',
		"noImportCycles",
	],
	[
		"packages/engine/src/b.ts",
		'import { a } from "./a";\n\nexport const b = (): unknown => a;\n',
		"noImportCycles",
	],
] as const;

const ALLOWED = [
	["packages/engine/src/down.ts", 'import "@stemma/core";\nimport "@stemma/core/errors";\n'],
	["packages/local/src/down.ts", 'import "@stemma/client";\nimport "@stemma/engine";\n'],
	["packages/runtime/src/down.ts", 'import "node:fs";\nimport "@stemma/local";\n'],
	["packages/service/src/down.ts", 'import "node:fs";\nimport "@stemma/routing/extractive";\n'],
	["packages/cli/src/down.ts", 'import "node:path";\nimport "@stemma/local";\n'],
	["packages/core/src/some.test.ts", 'import "node:fs";\n'],
	["packages/routing/src/test-support/vendor.ts", 'import "@stemma/simulators/openai";\n'],
] as const;

interface Diagnostic {
	readonly category: string;
	readonly location: { readonly path: string | { readonly file: string } };
}

/** The repository's own lint configuration, over a tree that holds nothing but these files. */
function lint(folder: string): Diagnostic[] {
	const configuration = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
	delete configuration.$schema;
	writeFileSync(join(folder, "biome.json"), JSON.stringify({ ...configuration, vcs: { enabled: false } }));
	for (const [file, code] of [...REFUSED, ...ALLOWED]) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), code);
	}
	const args = ["lint", "--reporter=json", "--max-diagnostics=none", "packages"];
	const { stdout } = spawnSync(join(root, "node_modules", ".bin", "biome"), args, {
		cwd: folder,
		encoding: "utf8",
	});
	return JSON.parse(stdout).diagnostics;
}

let folder: string;
let diagnostics: Diagnostic[];
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-lint-"));
	diagnostics = lint(folder);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true }));

const rulesBroken = (file: string): string[] =>
	diagnostics
		.filter(({ location: { path } }) => (typeof path === "string" ? path : path.file).endsWith(file))
		.map(({ category }) => category.split("/").at(-1) ?? "");

describe("the lint configuration", () => {
	it.each(REFUSED)("refuses %s: %j", (file, _, rule) => {
		expect(rulesBroken(file)).toContain(rule);
	});

	it.each(ALLOWED)("allows %s: %j", (file) => {
		expect(rulesBroken(file)).toEqual([]);
	});
});
