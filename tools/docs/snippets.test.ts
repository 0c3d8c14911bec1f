import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "tools", "docs");
const AMBIENT = ["snippets.d.ts", "expo.d.ts"].map((name) => join(folder, name));
const PAGES = [
	"docs/client.md",
	"docs/mcp.md",
	"docs/a2a.md",
	"packages/client/README.md",
	"packages/react/README.md",
];

/** TypeScript blocks of all pages, each as a file of its own, by its path. */
const snippets = new Map(
	PAGES.flatMap((page) =>
		[...readFileSync(join(root, page), "utf8").matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)].map(
			({ 1: code = "" }, index) =>
				// Beside the page, so that it finds what the page's package depends on.
				[join(root, dirname(page), `${basename(page, ".md")}-${index + 1}.tsx`), toModule(code)] as const,
		),
	),
);

/** Imports stay at the top; the rest may await, return, and shadow what other snippets declare. */
function toModule(code: string): string {
	const imports = /^import .*$/gm;
	return `${(code.match(imports) ?? []).join("\n")}\nexport async function snippet() {\n${code.replaceAll(imports, "")}}\n`;
}

it("what the pages show compiles", () => {
	const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
	const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
	const settings = { ...options, noUnusedLocals: false, noUnusedParameters: false };
	const host = ts.createCompilerHost(settings);
	const { fileExists, readFile, getSourceFile } = host;
	host.fileExists = (path) => snippets.has(path) || fileExists(path);
	host.readFile = (path) => snippets.get(path) ?? readFile(path);
	host.getSourceFile = (path, version, ...more) => {
		const code = snippets.get(path);
		return code === undefined
			? getSourceFile(path, version, ...more)
			: ts.createSourceFile(path, code, version);
	};
	const program = ts.createProgram([...snippets.keys(), ...AMBIENT], settings, host);
	const problems = [...snippets.keys()].flatMap((path) => {
		const source = program.getSourceFile(path);
		return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
			({ messageText }) => `${path.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
		);
	});
	expect(snippets.size).toBeGreaterThan(15);
	expect(problems).toEqual([]);
}, 120_000);
