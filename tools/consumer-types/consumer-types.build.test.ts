import { cp, mkdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import typescript from "typescript";
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

type Compiler = typeof typescript;

const require = createRequire(import.meta.url);

/** `npm run test:all` installs the older ones; without the registry it says so, and what they would compile is skipped. */
function findCompiler(name: string): Compiler | undefined {
	try {
		return require(name);
	} catch {
		return undefined;
	}
}

const COMPILERS = [
	{ version: "5.4", compiler: findCompiler("typescript-5.4") },
	{ version: "5.9", compiler: findCompiler("typescript-5.9") },
	{ version: "6.0", compiler: typescript },
];

const STRICT: typescript.CompilerOptions = {
	strict: true,
	exactOptionalPropertyTypes: true,
	noUncheckedIndexedAccess: true,
	skipLibCheck: false,
	noEmit: true,
	types: [],
};
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
function compile(
	compiler: Compiler,
	programs: readonly (keyof typeof PROGRAMS)[],
	options: typescript.CompilerOptions,
): string[] {
	const compilerOptions = { ...STRICT, target: compiler.ScriptTarget.ES2022, ...options };
	const host = compiler.createCompilerHost(compilerOptions);
	host.getCurrentDirectory = () => consumer.folder;
	const files = programs.map((name) => join(consumer.folder, name));
	return compiler
		.getPreEmitDiagnostics(compiler.createProgram(files, compilerOptions, host))
		.map((diagnostic) => compiler.formatDiagnostic(diagnostic, host));
}

describe.each(COMPILERS)(
	"the types of the packed packages, checked by TypeScript $version as well",
	({ version, compiler = typescript }) => {
		const { ModuleKind, ModuleResolutionKind } = compiler;
		const isMissing = !compiler.version.startsWith(version);
		const bundler = { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler };

		it.skipIf(isMissing)("serve bundlers, and React", () => {
			const options = { ...bundler, ...DOM, jsx: compiler.JsxEmit.ReactJSX };
			const programs = ["program.ts", "protocols-program.ts", "react-program.tsx"] as const;
			expect(compile(compiler, programs, options)).toEqual([]);
		});

		describe.each([
			{ name: "node16", module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
			{ name: "nodenext", module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
		])("with $name", ({ module, moduleResolution }) => {
			it.skipIf(isMissing)("serve ES modules and CommonJS", () => {
				expect(compile(compiler, PROGRAMS_OF_ALL, { module, moduleResolution, ...DOM })).toEqual([]);
			});

			it.skipIf(isMissing)("serve programs that only Node runs, without the types of browsers", () => {
				const programs = [...PROGRAMS_OF_ALL, "node-program.mts", "node-program.cts"] as const;
				expect(compile(compiler, programs, { module, moduleResolution, ...NODE })).toEqual([]);
			});
		});
	},
);
