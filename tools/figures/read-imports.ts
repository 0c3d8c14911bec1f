import { posix } from "node:path";
import ts from "typescript";
import { listNodes, type SourceFile } from "../sources/source-file.ts";

/** Files that a file imports; `values` lacks those that it takes nothing but types from. */
export interface Imports {
	readonly all: ReadonlySet<string>;
	readonly values: ReadonlySet<string>;
}

/** Imports of sources by the path of the file; modules that are not among the sources are left out. */
export function readImports(sources: readonly SourceFile[]): Map<string, Imports> {
	const known = new Set(sources.map(({ path }) => path));
	return new Map(
		sources.map((source): [string, Imports] => {
			const found = listModules(source).flatMap(({ module, isType }) => {
				const target = resolveModule(source.path, module, known);
				return target === undefined ? [] : [{ target, isType }];
			});
			const toSet = (imports: typeof found): Set<string> => new Set(imports.map(({ target }) => target));
			return [source.path, { all: toSet(found), values: toSet(found.filter(({ isType }) => !isType)) }];
		}),
	);
}

interface ImportedModule {
	readonly module: string;
	readonly isType: boolean;
}

const listModules = ({ tree }: SourceFile): ImportedModule[] =>
	listNodes(tree).flatMap((node): ImportedModule[] => {
		if (ts.isImportDeclaration(node))
			return [{ module: toText(node.moduleSpecifier), isType: isTypeImport(node) }];
		if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
			return [{ module: toText(node.moduleSpecifier), isType: isTypeExport(node) }];
		if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
			return [{ module: toText(node.argument.literal), isType: true }];
		const isLoaded = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
		return isLoaded
			? node.arguments.slice(0, 1).map((module) => ({ module: toText(module), isType: false }))
			: [];
	});

const toText = (node: ts.Node): string => (ts.isStringLiteralLike(node) ? node.text : "");

function isTypeImport({ importClause }: ts.ImportDeclaration): boolean {
	if (importClause === undefined) return false;
	if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
	const { name, namedBindings } = importClause;
	if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
	return namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
	if (isTypeOnly) return true;
	if (exportClause === undefined || !ts.isNamedExports(exportClause)) return false;
	return exportClause.elements.every((element) => element.isTypeOnly);
}

/** Path of a module by the rules of this repository: `./file`, `@stemma/package`, `@stemma/package/entry`. */
function resolveModule(from: string, module: string, known: ReadonlySet<string>): string | undefined {
	const [, name, entry = "index"] = /^@stemma\/([^/]+)(?:\/(.+))?$/.exec(module) ?? [];
	const path = name === undefined ? posix.join(posix.dirname(from), module) : `packages/${name}/src/${entry}`;
	if (name === undefined && !module.startsWith(".")) return undefined;
	const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, path.replace(/\.js$/, ".ts")];
	return candidates.find((candidate) => known.has(candidate));
}
