import ts from "typescript";
import type { SourceFile } from "./source-file.ts";

/**
 * Titles of the tests of a file, each after those of the blocks around it: `a token > is revoked`.
 *
 * Titles stand as they are written: `refuses %s` of `it.each` once for all its cases, and `…` for each expression of a template. Tests
 * whose title is an expression are left out.
 */
export function listTests({ tree }: SourceFile): string[] {
	const titles: string[] = [];
	const visit = (node: ts.Node, around: readonly string[]): void => {
		const block = readBlock(node);
		const path = block === undefined ? around : [...around, block.title];
		if (block?.isTest) titles.push(path.join(" > "));
		ts.forEachChild(node, (child) => visit(child, path));
	};
	visit(tree, []);
	return titles;
}

interface Block {
	readonly title: string;
	readonly isTest: boolean;
}

/** Block of `describe("…", …)`, `it("…", …)` or `test.each(cases)("…", …)`. */
function readBlock(node: ts.Node): Block | undefined {
	if (!ts.isCallExpression(node)) return undefined;
	const name = readCallee(node.expression);
	const title = readTitle(node.arguments[0]);
	if (title === undefined || !["describe", "it", "test"].includes(name)) return undefined;
	return { title, isTest: name !== "describe" };
}

/** First name of a callee: `it` of `it`, `it.concurrent`, `it.each(cases)` and `it.skipIf(true).each(cases)`. */
function readCallee(callee: ts.Expression): string {
	if (ts.isIdentifier(callee)) return callee.text;
	if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee))
		return readCallee(callee.expression);
	return ts.isTaggedTemplateExpression(callee) ? readCallee(callee.tag) : "";
}

function readTitle(title: ts.Expression | undefined): string | undefined {
	if (title === undefined) return undefined;
	if (ts.isStringLiteralLike(title)) return title.text;
	if (!ts.isTemplateExpression(title)) return undefined;
	return [title.head.text, ...title.templateSpans.map(({ literal }) => literal.text)].join("…");
}
