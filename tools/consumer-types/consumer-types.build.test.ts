import { cp, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPackedConsumer, ISOMORPHIC, type PackedConsumer } from "../packed/packed-consumer";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where types of other packages are in the workspace. */
const TYPES = {
	"@types/node": "node_modules/@types/node",
	"@types/react": "packages/react/node_modules/@types/react",
};

/** Under which name each program is compiled. */
const PROGRAMS = {
	"program.ts": "program.mts",
	"program.mts": "program.mts",
	"program.cts": "program.mts",
	"protocols-program.ts": "protocols-program.mts",
	"protocols-program.mts": "protocols-program.mts",
	"protocols-program.cts": "protocols-program.mts",
	"react-program.tsx": "react-program.tsx",
	"node-program.mts": "node-program.mts",
	"node-program.cts": "node-program.mts",
};

/** Node's modules and CommonJS, without anything that only Node has. */
const PROGRAMS_OF_ALL = [
	...(["program.mts", "program.cts"] as const),
	...(["protocols-program.mts", "protocols-program.cts"] as const),
];

const STRICT: ts.CompilerOptions = {
	strict: true,
	exactOptionalPropertyTypes: true,
	noUncheckedIndexedAccess: true,
	skipLibCheck: false,
	noEmit: true,
	target: ts.ScriptTarget.ES2022,
	types: [],
};
const BUNDLER = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
const NODE16 = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 };
const DOM = { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"] };
const NODE = { lib: ["lib.es2022.d.ts"], types: ["node"] };

let consumer: PackedConsumer;
beforeAll(async () => {
	consumer = await createPackedConsumer([...ISOMORPHIC, "a2a-server", "react"]);
	for (const [name, path] of Object.entries(TYPES)) {
		const link = join(consumer.folder, "node_modules", name);
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(root, path), link, "dir");
	}
	for (const [name, source] of Object.entries(PROGRAMS))
		await cp(fileURLToPath(new URL(source, import.meta.url)), join(consumer.folder, name));
});
afterAll(() => consumer?.remove());

/** What is wrong in the programs, and in all types that they reach. */
function compile(programs: readonly (keyof typeof PROGRAMS)[], options: ts.CompilerOptions): string[] {
	const compilerOptions = { ...STRICT, ...options };
	const host = ts.createCompilerHost(compilerOptions);
	host.getCurrentDirectory = () => consumer.folder;
	const files = programs.map((name) => join(consumer.folder, name));
	return ts
		.getPreEmitDiagnostics(ts.createProgram(files, compilerOptions, host))
		.map((diagnostic) => ts.formatDiagnostic(diagnostic, host));
}

describe("the types of the packed packages, with those of libraries checked as well", () => {
	it("serve bundlers, and React", () => {
		const options = { ...BUNDLER, ...DOM, jsx: ts.JsxEmit.ReactJSX };
		expect(compile(["program.ts", "protocols-program.ts", "react-program.tsx"], options)).toEqual([]);
	});

	it("serve Node's ES modules and CommonJS", () => {
		expect(compile(PROGRAMS_OF_ALL, { ...NODE16, ...DOM })).toEqual([]);
	});

	it("serve programs that only Node runs, without the types of browsers", () => {
		const programs = [...PROGRAMS_OF_ALL, "node-program.mts", "node-program.cts"] as const;
		expect(compile(programs, { ...NODE16, ...NODE })).toEqual([]);
	});
});
