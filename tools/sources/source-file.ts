import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { readKeptResults } from "./kept-results.ts";
import { listFiles, root } from "./list-files.ts";

/** File of TypeScript; `path` is relative to the repository. */
export interface SourceFile {
	readonly path: string;
	readonly text: string;
	/** Syntax tree, parsed when it is first read; nodes know their parents. */
	readonly tree: ts.SourceFile;
}

/** Makes a source file of `text`. */
export function parseSource(path: string, text: string): SourceFile {
	let tree: ts.SourceFile | undefined;
	return {
		path,
		text,
		get tree() {
			tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
			return tree;
		},
	};
}

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

/** Place in a file. */
interface Place {
	readonly path: string;
}

/**
 * What `find` finds in every file of TypeScript of packages and tools, tests included. `find` looks at the file alone: what it
 * found is kept as `name`, and found again only where the file has changed.
 */
export function findInAllCode<T extends Place>(
	name: string,
	find: (source: SourceFile) => readonly T[],
	base: string = root,
): T[] {
	const paths = listFiles(["packages", "tools"], /\.m?tsx?$/, base);
	const kept = readKeptResults<T>(name);
	const found = paths
		.filter((path) => !path.endsWith(".d.ts"))
		.flatMap((path) => {
			const source = readSource(path, base);
			return kept.get(path, source.text, () => find(source));
		});
	if (base === root) kept.save();
	return found;
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
