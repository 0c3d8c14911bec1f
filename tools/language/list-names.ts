import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listDeclaredNames } from "../sources/declared-names.ts";
import { listFiles, root } from "../sources/list-files.ts";
import { findInAllCode, isTest, lineOf, listNodes, type SourceFile } from "../sources/source-file.ts";
import type { FoundName } from "./coined-names.ts";

/** Pages that list old names on purpose. */
const HISTORY: ReadonlySet<string> = new Set(["docs/migration.md"]);

/** Every name of the repository: of code, files and folders, and documents. */
export function listAllNames(base: string = root): FoundName[] {
	const paths = listFiles(["."], /\.(m?tsx?|[cm]?jsx?|json|md)$/, base);
	const documents = paths.filter((path) => path.endsWith(".md") && !/\/documents\//.test(path));
	return [
		...findInAllCode("names", listNamesOfCode, base),
		...listNamesOfPaths(paths),
		...documents
			.filter((path) => !HISTORY.has(path))
			.flatMap((path) => listNamesOfDocument(path, readFileSync(join(base, path), "utf8"))),
	];
}

/** Names that a file declares, and in sources its strings of one word, too: discriminants, codes, keys. */
export function listNamesOfCode(source: SourceFile): FoundName[] {
	const { path } = source;
	const isSource = path.startsWith("packages/") && !isTest(path);
	const declared = listDeclaredNames(source)
		.filter(({ name }) => /^[\w$-]+$/.test(name))
		.map(({ name, line }): FoundName => ({ name, kind: "identifier", path, line }));
	const strings = listNodes(source.tree)
		.filter((node) => ts.isStringLiteral(node))
		.filter((node) => /^[a-z][\w-]*$/i.test(node.text) && !isNameOfImportOrMember(node))
		.map((node): FoundName => ({ name: node.text, kind: "string", path, line: lineOf(source, node) }));
	return isSource ? [...declared, ...strings] : declared;
}

const isNameOfImportOrMember = (node: ts.StringLiteral): boolean =>
	ts.isImportDeclaration(node.parent) || ("name" in node.parent && node.parent.name === node);

/** Names of files without their endings, and of folders, each once. */
export function listNamesOfPaths(paths: readonly string[]): FoundName[] {
	const steps = paths.flatMap((path) => {
		const parts = path.split("/");
		return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
	});
	return [...new Set(steps)].map((path) => {
		const name = path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\..*$/, "");
		return { name, kind: "file", path, line: 1 };
	});
}

/** Words of code spans and fenced blocks; comments and strings of several words in these are prose, and left out. */
export function listNamesOfDocument(path: string, text: string): FoundName[] {
	let isFenced = false;
	return text.split("\n").flatMap((line, at) => {
		if (/^\s*(```|~~~)/.test(line)) {
			isFenced = !isFenced;
			return [];
		}
		const spans = isFenced
			? [withoutProse(line)]
			: [...line.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
		const words = spans.flatMap((span) => span.match(/[A-Za-z_$][\w$]*(-[A-Za-z0-9_]+)*/g) ?? []);
		return words.map((name): FoundName => ({ name, kind: "document", path, line: at + 1 }));
	});
}

const withoutProse = (line: string): string =>
	line
		.replaceAll(/"[^"]*\s[^"]*"|'[^']*\s[^']*'|`[^`]*\s[^`]*`/g, "")
		.replace(/(^|\s)(\/\/|#|\/?\*)\s.*$/, "");
