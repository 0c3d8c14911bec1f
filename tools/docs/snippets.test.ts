import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const toPath = (url: URL): string => fileURLToPath(url);

const CONFIG = toPath(new URL("../../tsconfig.json", import.meta.url));
const root = dirname(CONFIG);
const AMBIENT = [
	new URL("./snippets.d.ts", import.meta.url),
	new URL("./standard-schema.d.ts", import.meta.url),
	new URL("./expo.d.ts", import.meta.url),
].map(toPath);
const PAGES = [
	new URL("../../docs/client.md", import.meta.url),
	new URL("../../docs/mcp.md", import.meta.url),
	new URL("../../docs/a2a.md", import.meta.url),
	new URL("../../docs/front-ends.md", import.meta.url),
	new URL("../../packages/client/README.md", import.meta.url),
	new URL("../../packages/react/README.md", import.meta.url),
].map(toPath);
/** What the pages import of this repository. Named one by one: `npm run check` runs this test when they change, or what they import. */
const ENTRIES = [
	new URL("../../packages/client/src/index.ts", import.meta.url),
	new URL("../../packages/client/src/a2a.ts", import.meta.url),
	new URL("../../packages/client/src/ag-ui.ts", import.meta.url),
	new URL("../../packages/client/src/ai-sdk.ts", import.meta.url),
	new URL("../../packages/client/src/mcp.ts", import.meta.url),
	new URL("../../packages/client/src/mcp-oauth.ts", import.meta.url),
	new URL("../../packages/client/src/node.ts", import.meta.url),
	new URL("../../packages/client/src/testing.ts", import.meta.url),
	new URL("../../packages/local/src/index.ts", import.meta.url),
	new URL("../../packages/react/src/chat.ts", import.meta.url),
	new URL("../../packages/react/src/index.ts", import.meta.url),
].map(toPath);

/** TypeScript blocks of all pages, each as a file of its own, by its path. */
const snippets = new Map(
	PAGES.flatMap((page) =>
		[...readFileSync(page, "utf8").matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)].map(
			({ 1: code = "" }, index) =>
				// Beside the page, so that it finds what the page's package depends on.
				[join(dirname(page), `${basename(page, ".md")}-${index + 1}.tsx`), toModule(code)] as const,
		),
	),
);

/** Imports stay at the top; the rest may await, return, and shadow what other snippets declare. Nothing is exported. */
function toModule(code: string): string {
	const imports = /^import .*$/gm;
	return `${(code.match(imports) ?? []).join("\n")}\nexport async function snippet() {\n${code.replaceAll(imports, "").replace(/^export /gm, "")}}\n`;
}

it("the pages import nothing of this repository that is not named here", () => {
	const imported = [...snippets.values()].flatMap((code) =>
		[...code.matchAll(/["']@stemma\/([^/"']+)\/?([^"']*)["']/g)].map(([, name = "", entry = ""]) =>
			join(root, "packages", name, "src", `${entry || "index"}.ts`),
		),
	);
	expect(imported.length).toBeGreaterThan(15);
	expect(imported.filter((path) => !ENTRIES.includes(path))).toEqual([]);
});

it("what the pages show compiles", () => {
	const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile);
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
			({ messageText }) => `${relative(root, path)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
		);
	});
	expect(snippets.size).toBeGreaterThan(15);
	expect(problems).toEqual([]);
});
