import ts from "typescript";
import { listNodes, type SourceFile } from "../sources/source-file.ts";

/** Places where the compiler is overruled. */
export interface Casts {
	/** Uses of the type `any`. */
	readonly any: number;
	/** Uses of `!`, after a value or in a declaration. */
	readonly nonNull: number;
	/** Uses of `as` and of `<Type>value`, without `as const`. */
	readonly as: number;
}

/** Counts the casts of a file. */
export function countCasts({ tree }: SourceFile): Casts {
	const nodes = listNodes(tree);
	const count = (test: (node: ts.Node) => boolean): number => nodes.filter(test).length;
	return {
		any: count(({ kind }) => kind === ts.SyntaxKind.AnyKeyword),
		nonNull: count((node) => ts.isNonNullExpression(node) || isDefinite(node)),
		as: count(
			(node) =>
				(ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) &&
				!ts.isConstTypeReference(node.type),
		),
	};
}

const isDefinite = (node: ts.Node): boolean =>
	(ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) && node.exclamationToken !== undefined;
