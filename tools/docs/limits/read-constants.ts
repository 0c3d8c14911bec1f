import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A number that a source file declares at its top. */
export interface LimitConstant {
	/** `MAX_FORM_BYTES`, or `DEFAULT_TIMEOUTS.headerMs` for a field of an object. */
	readonly name: string;
	/** The path from the folder of packages. */
	readonly file: string;
	readonly value: number;
}

const packages = fileURLToPath(new URL("../../../packages/", import.meta.url));

/** All numbers that the sources of a package declare at their top, as constants or as fields of constants. */
export const readConstants = (name: string): readonly LimitConstant[] =>
	listSources(name).flatMap((file) => readFile(file));

/** The sources of a package, without tests and what supports them. */
export const listSources = (name: string): readonly string[] =>
	readdirSync(`${packages}${name}/src`, { recursive: true, encoding: "utf8" })
		.map((path) => `${name}/src/${path.replaceAll("\\", "/")}`)
		.filter((path) => path.endsWith(".ts") && !/\.test\.ts$|\.d\.ts$|test-support\/|conformance\//.test(path))
		.sort();

export const readSource = (file: string): string => readFileSync(`${packages}${file}`, "utf8");

function readFile(file: string): LimitConstant[] {
	const known = new Map<string, number>();
	const source = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest);
	const declarations = source.statements.filter(ts.isVariableStatement);
	for (const { name, initializer } of declarations.flatMap(
		({ declarationList }) => declarationList.declarations,
	))
		if (ts.isIdentifier(name) && initializer !== undefined) addValues(known, name.text, initializer);
	return [...known].map(([name, value]) => ({ name, file, value }));
}

function addValues(known: Map<string, number>, name: string, written: ts.Expression): void {
	const expression = unwrap(written);
	if (ts.isObjectLiteralExpression(expression)) {
		for (const field of expression.properties)
			if (ts.isPropertyAssignment(field) && ts.isIdentifier(field.name))
				addValues(known, `${name}.${field.name.text}`, field.initializer);
		return;
	}
	const value = evaluate(known, expression);
	if (value !== undefined) known.set(name, value);
}

const unwrap = (expression: ts.Expression): ts.Expression =>
	ts.isAsExpression(expression) ||
	ts.isSatisfiesExpression(expression) ||
	ts.isParenthesizedExpression(expression)
		? unwrap(expression.expression)
		: expression;

/** The number that an expression of numbers comes to. Undefined where it has anything else. */
function evaluate(known: ReadonlyMap<string, number>, written: ts.Expression): number | undefined {
	const expression = unwrap(written);
	if (ts.isNumericLiteral(expression)) return Number(expression.text.replaceAll("_", ""));
	if (ts.isIdentifier(expression)) return known.get(expression.text);
	if (ts.isPropertyAccessExpression(expression) && ts.isIdentifier(expression.expression))
		return known.get(`${expression.expression.text}.${expression.name.text}`);
	if (!ts.isBinaryExpression(expression)) return undefined;
	const left = evaluate(known, expression.left);
	const right = evaluate(known, expression.right);
	if (left === undefined || right === undefined) return undefined;
	return OPERATIONS[expression.operatorToken.kind]?.(left, right);
}

const OPERATIONS: Readonly<Partial<Record<ts.SyntaxKind, (left: number, right: number) => number>>> = {
	[ts.SyntaxKind.AsteriskToken]: (left, right) => left * right,
	[ts.SyntaxKind.AsteriskAsteriskToken]: (left, right) => left ** right,
	[ts.SyntaxKind.PlusToken]: (left, right) => left + right,
	[ts.SyntaxKind.MinusToken]: (left, right) => left - right,
	[ts.SyntaxKind.SlashToken]: (left, right) => left / right,
};
