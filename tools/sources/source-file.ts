import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listFiles, root } from "./list-files.ts";

/** File of TypeScript with its syntax tree; `path` is relative to the repository. */
export interface SourceFile {
	readonly path: string;
	readonly tree: ts.SourceFile;
}

/** Parses `code`; nodes know their parents. */
export const parseSource = (path: string, code: string): SourceFile => ({
	path,
	tree: ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true),
});

const readSource = (path: string, base: string): SourceFile =>
	parseSource(path, readFileSync(join(base, path), "utf8"));

/** Checks for tests and test support, by path. */
export const isTest = (path: string): boolean =>
	/\.test\.tsx?$|\/test-support\/|\/__|^packages\/simulators\//.test(path);

/** Sources of all packages: no tests, no test support, no declaration files. */
export function readSources(base: string = root): SourceFile[] {
	const paths = listFiles(["packages"], /^packages\/[^/]+\/src\/.*\.tsx?$/, base);
	return paths
		.filter((path) => !isTest(path) && !path.endsWith(".d.ts"))
		.map((path) => readSource(path, base));
}

/** Every file of TypeScript of packages and tools, tests included. */
export function readAllCode(base: string = root): SourceFile[] {
	const paths = listFiles(["packages", "tools"], /\.m?tsx?$/, base);
	return paths.filter((path) => !path.endsWith(".d.ts")).map((path) => readSource(path, base));
}

/** Name of the package that a path belongs to: `client` of `packages/client/src/sse.ts`. */
export const packageOf = (path: string): string => path.split("/")[1] ?? path;

/** One-based line of a node's first token. */
export const lineOf = ({ tree }: SourceFile, node: ts.Node): number =>
	tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;

/** All nodes of a tree, parents before children. */
export function listNodes(tree: ts.Node): ts.Node[] {
	const nodes: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		nodes.push(node);
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return nodes;
}
