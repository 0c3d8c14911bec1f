import ts from "typescript";
import { lineOf, listNodes, type SourceFile } from "./source-file.ts";

/** Name that a file declares: of a function, a type, a variable, a parameter, a member, an alias. */
export interface DeclaredName {
	readonly name: string;
	readonly line: number;
	/** Set for functions, methods, and variables and members that hold one. */
	readonly isFunction: boolean;
}

/** Names that a file declares, in the order of the file. */
export function listDeclaredNames(source: SourceFile): DeclaredName[] {
	return listNodes(source.tree).flatMap((node) => {
		if (!isDeclaration(node)) return [];
		const { name } = node;
		if (name === undefined || !(ts.isIdentifier(name) || ts.isStringLiteralLike(name))) return [];
		return [{ name: name.text, line: lineOf(source, name), isFunction: isFunction(node) }];
	});
}

type Declaration =
	| ts.VariableDeclaration
	| ts.ParameterDeclaration
	| ts.BindingElement
	| ts.FunctionDeclaration
	| ts.FunctionExpression
	| ts.ClassDeclaration
	| ts.InterfaceDeclaration
	| ts.TypeAliasDeclaration
	| ts.EnumDeclaration
	| ts.EnumMember
	| ts.TypeElement
	| ts.ClassElement
	| ts.PropertyAssignment
	| ts.TypeParameterDeclaration
	| ts.NamespaceImport
	| ts.ImportClause
	| ts.ImportSpecifier
	| ts.ExportSpecifier;

/** An import or export specifier declares a name only where it gives another one: `x as y`. */
const isDeclaration = (node: ts.Node): node is Declaration =>
	ts.isVariableDeclaration(node) ||
	ts.isParameter(node) ||
	ts.isBindingElement(node) ||
	ts.isFunctionDeclaration(node) ||
	ts.isFunctionExpression(node) ||
	ts.isClassDeclaration(node) ||
	ts.isInterfaceDeclaration(node) ||
	ts.isTypeAliasDeclaration(node) ||
	ts.isEnumDeclaration(node) ||
	ts.isEnumMember(node) ||
	ts.isTypeElement(node) ||
	ts.isClassElement(node) ||
	ts.isPropertyAssignment(node) ||
	ts.isTypeParameterDeclaration(node) ||
	ts.isNamespaceImport(node) ||
	ts.isImportClause(node) ||
	((ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) && node.propertyName !== undefined);

function isFunction(node: Declaration): boolean {
	if (ts.isFunctionLike(node)) return true;
	if (ts.isPropertySignature(node)) return node.type !== undefined && ts.isFunctionTypeNode(node.type);
	const holdsValue = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node);
	return holdsValue && node.initializer !== undefined && ts.isFunctionLike(node.initializer);
}
