import ts from "typescript";
import { lineOf, listNodes, type SourceFile } from "../sources/source-file.ts";

/** Function with a body, and how many lines it has from its first token to its last; nested ones count for themselves, too. */
export interface MeasuredFunction {
	/** `file:line name`. */
	readonly place: string;
	readonly lines: number;
}

/** Functions, methods, constructors and accessors of a file. */
export function measureFunctions(source: SourceFile): MeasuredFunction[] {
	return listNodes(source.tree)
		.filter((node) => ts.isFunctionLike(node))
		.filter((node) => "body" in node && node.body !== undefined)
		.map((node) => {
			const first = lineOf(source, node);
			const last = source.tree.getLineAndCharacterOfPosition(node.end).line + 1;
			return { place: `${source.path}:${first} ${nameOf(node)}`.trim(), lines: last - first + 1 };
		});
}

const nameOf = (node: ts.SignatureDeclaration): string => {
	if (node.name !== undefined) return node.name.getText();
	const { parent } = node;
	return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : "";
};
